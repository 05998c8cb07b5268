// What is wrong with values, sizes and types.
package Fail
  model Size
    Real x[2] = {1, 2, 3};
    Real y = "text";
    Real z[3](start = {1, 2, 3});
    Real w;
    parameter Integer n;
    Boolean b;
  equation
    z = {1, 2};
    w = z[4] + 1;
    w = true;
    b = z[1, 2] > 0;
    w = undeclared;
    w = sin(1, 2);
    w = Fail(1);
    w = Fail;
    w = noFunction.x;
    if w > 0 then
      w = 1;
    end if;
    reinit(w, 1);
    w = ticksInState();
  algorithm
    n := 2;
  end Size;
end Fail;
//? class Fail.Size
