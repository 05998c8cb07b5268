// A function that is executed symbolically and uses each value twice: the text shows each of them once.
model Shared
  function f
    input Real x;
    output Real y = x;
  algorithm
    for i in 1:9 loop
      y := y*y - i;
    end for;
  end f;
  Real u = sin(time);
  Real v = f(u) + f(2*u);
  Boolean b = f(u) > 0;
  parameter Real p = 0.5;
  parameter Real q = f(p);
end Shared;
