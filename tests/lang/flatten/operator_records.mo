// Operator records: constructors, unary and binary operators, conversion of numbers.
package OperatorRecords
  operator record Complex
    Real re;
    Real im;
    encapsulated operator 'constructor'
      import OperatorRecords.Complex;
      function fromReal
        input Real re;
        input Real im = 0;
        output Complex result(re = re, im = im);
      algorithm
      end fromReal;
    end 'constructor';
    encapsulated operator '-'
      import OperatorRecords.Complex;
      function negate
        input Complex c;
        output Complex result = Complex(-c.re, -c.im);
      algorithm
      end negate;
      function subtract
        input Complex a;
        input Complex b;
        output Complex result = Complex(a.re - b.re, a.im - b.im);
      algorithm
      end subtract;
    end '-';
    encapsulated operator function '*'
      import OperatorRecords.Complex;
      input Complex a;
      input Complex b;
      output Complex result = Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
    algorithm
    end '*';
  end Complex;
  model M
    Complex a = Complex(time, 1);
    Complex b = -a;
    Complex c = a * b - 2;
  end M;
end OperatorRecords;
//? class OperatorRecords.M
