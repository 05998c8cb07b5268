// Operator records: constructors, unary and binary operators, conversion of numbers, arrays.
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
    encapsulated operator '*'
      import OperatorRecords.Complex;
      function multiply
        input Complex a;
        input Complex b;
        output Complex result = Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
      algorithm
      end multiply;
      function scalar_product
        input Complex a[:];
        input Complex b[size(a, 1)];
        output Complex result = Complex(sum(a.re .* b.re) - sum(a.im .* b.im), sum(a.re .* b.im) + sum(a.im .* b.re));
      algorithm
      end scalar_product;
    end '*';
  end Complex;
  model M
    Complex a = Complex(time, 1);
    Complex b = -a;
    Complex c = a * b - 2;
    Complex v[2] = {a, b};
    Complex scaled[2] = 3 * v;
    Complex turned[2] = a * v;
    Complex product = v * v;
    Complex squares[2] = v .* v;
  end M;
end OperatorRecords;
//? class OperatorRecords.M
