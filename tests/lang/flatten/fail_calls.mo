// Calls and equations at the wrong place.
package Fail
  function f
    input Real u;
    output Real y = 2*u;
  algorithm
  end f;
  model M
    parameter Real p;
    Real a, b, c, d, e, g;
    constant Real k;
    Boolean q;
  equation
    a = f();
    b = f(1, 2);
    c = f(v = 1);
    d = Fail.World(1);
    e = sin;
    (a, b) = f(1);
    when a > 1 then
      when b > 1 then
        q = true;
      end when;
      2*g = 1;
    end when;
    pre(a + b) = 1;
    g = pre(a + b);
    g = homotopy(1);
  algorithm
    p := 2;
  end M;
  model World
  end World;
end Fail;
//? class Fail.M
