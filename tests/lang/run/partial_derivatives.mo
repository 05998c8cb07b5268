// function fx = der(f, x): by statements, a loop, twice, mixed, of several results, of another such function, as an argument.
//? value fx 13.5 1e-9
//? value fxy 2 1e-9
//? value fxx 9 1e-9
//? value p 32 1e-9
//? value first 3 1e-9
//? value second 4.5 1e-9
//? value slope 13.5 1e-9
//? value v 27 1e-9
model PartialDerivatives
  function f
    input Real x, y;
    output Real z = 0.5*x^3 + 2*x*y;
  algorithm
  end f;
  function f_x = der(f, x);
  function f_xy = der(f, x, y);
  function f_xx = der(f_x, x);
  function power
    input Integer n;
    input Real x;
    output Real y;
  algorithm
    y := 1;
    for i in 1:n loop
      y := y*x;
    end for;
  end power;
  function power_x = der(power, x);
  function two
    input Real x, y;
    output Real a;
    output Real b;
  algorithm
    a := x*y;
    b := if x > 2 then x^2*y/4 else 0;
  end two;
  function two_x = der(two, x);
  partial function Scalar
    input Real u;
    output Real y;
  end Scalar;
  function along "f_x at y = 0"
    extends Scalar;
  algorithm
    y := f_x(u, 0);
  end along;
  function twice
    input Scalar g;
    input Real u;
    output Real y;
  algorithm
    y := 2*g(u);
  end twice;
  Real x = 2 + time, y = 0*time, first, second;
  Integer n = if time > 0.5 then 4 else 3;
  Real fx = f_x(x, y), fxy = f_xy(x, y), fxx = f_xx(x, y), p = power_x(n, x - 1), slope = along(x), v = twice(along, x);
equation
  (first, second) = two_x(x - 0, 3 + 1.5*y);
  annotation(experiment(StopTime = 1));
end PartialDerivatives;
