// Constructors of operator records compute, also with as many arguments as there are fields, and have inputs with names of their own.
//? value a.x 10 0
//? value a.y 3 0
//? value b.x 30 0
//? value b.y 6 0
//? value c.x 1 0
//? value turned.x 3 0
//? value all_turned[2].y 30 0
//? value text 1 0
//? value total.x 44 0
//? value in_turn.y 5 0
//? value direct.x 40 0
package Constructors
  operator record Q
    Real x;
    Real y;
    encapsulated operator 'constructor'
      import Constructors.Q;
      function polar
        input Real r;
        input Real phi;
        output Q q;
      algorithm
        q.x := 10*r;
        q.y := phi + 1;
      end polar;
      function from_boolean
        input Boolean b;
        output Q q(x = if b then 1 else 2, y = 0);
      algorithm
      end from_boolean;
    end 'constructor';
    encapsulated operator function 'not'
      import Constructors.Q;
      input Q a;
      output Q b;
    algorithm
      b.x := a.y;
      b.y := a.x;
    end 'not';
    encapsulated operator function 'String'
      import Constructors.Q;
      input Q a;
      input Integer n = 1;
      input String unit = "";
      output String s = String(n) + unit;
    algorithm
    end 'String';
    encapsulated operator function '+'
      import Constructors.Q;
      input Q a;
      input Q b;
      output Q c;
    algorithm
      c.x := a.x + b.x;
      c.y := a.y + b.y;
    end '+';
  end Q;
  model Test
    Q a = Q(1, 2);
    Q b = Q(phi = 5, r = 3);
    Q c = Q(true);
    Q turned = not a;
    Q all_turned[2] = not {a, b};
    Boolean text = String(a, 3, unit = "x") == "3x";
    Q matrix[2,2] = {{a, b}, {c, turned}};
    Q total = sum(matrix);
    Q in_turn = sum(Q(i, i) for i in 1:2);
    Q direct = Q.'+'(a, b);
  end Test;
end Constructors;
model Test
  extends Constructors.Test;
end Test;
