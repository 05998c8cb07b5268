// Operators are sought in the classes of both operands; one of them is converted where no function takes both as they are.
//? value squared.x 4 0
//? value left.z 1 0
//? value right.z 2 0
//? value converted.z 104 0
//? value converted_first.y 5 0
//? value made.z 100 0
//? value sums[2].y 9 0
//? value both 1 0
//? value less 1 0
//? value with_number.y 4 0
//? value scaled[2].y 12 0
package Overloads
  operator record A
    Real x;
    encapsulated operator 'constructor'
      import Overloads.A;
      function from_real
        input Real x;
        output A result(x = x);
      algorithm
      end from_real;
    end 'constructor';
    encapsulated operator '*'
      import Overloads.{A, B};
      function a_by_a
        input A a;
        input A b;
        output A c = A(a.x*b.x);
      algorithm
      end a_by_a;
      function a_by_b
        input A a;
        input B b;
        output B c = B(a.x*b.y, 1);
      algorithm
      end a_by_b;
      function b_by_a
        input B a;
        input A b;
        output B c = B(a.y*b.x, 2);
      algorithm
      end b_by_a;
    end '*';
  end A;
  operator record B
    Real y;
    Real z;
    encapsulated operator 'constructor'
      import Overloads.{A, B};
      function from_reals
        input Real y;
        input Real z = 0;
        output B result(y = y, z = z);
      algorithm
      end from_reals;
      function from_a
        input A a;
        output B result(y = a.x, z = 100);
      algorithm
      end from_a;
    end 'constructor';
    encapsulated operator function '+'
      import Overloads.B;
      input B a;
      input B b;
      output B c = B(a.y + b.y, a.z + b.z);
    algorithm
    end '+';
    encapsulated operator function 'and'
      import Overloads.B;
      input B a;
      input B b;
      output Boolean c = a.y > 0 and b.y > 0;
    algorithm
    end 'and';
    encapsulated operator function '<'
      import Overloads.B;
      input B a;
      input B b;
      output Boolean c = a.y < b.y;
    algorithm
    end '<';
  end B;
  model Test
    A a = A(2);
    B b = B(3, 4);
    A squared = a*a;
    B left = a*b;
    B right = b*a;
    B converted = b + a;
    B converted_first = a + b;
    B made = B(a);
    B sums[2] = {b, left} + {b, b};
    Boolean both = b and left;
    Boolean less = b < left;
    B with_number = b + 1;
    B scaled[2] = a*{b, left};
  end Test;
end Overloads;
model Test
  extends Overloads.Test;
end Test;
