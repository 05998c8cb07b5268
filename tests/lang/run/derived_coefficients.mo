// The derivative of a function that takes coefficients from an external function, which has none:
// there is one where they do not vary.
//? value v 0.02 1e-7
//? value slope 0.8 1e-7
//? value w 0.16 1e-7
model DerivedCoefficients
  function solution
    input Real a[2, 2], b[2];
    output Real x[2] = b;
    output Integer info;
  protected
    Integer pivots[2];
    Real lu[2, 2] = a;
  external "FORTRAN 77" dgesv(2, 1, lu, 2, pivots, x, 2, info);
  end solution;
  function line
    input Real x, t[2];
    output Real y;
  protected
    Real c[2] = solution([2, 1; 1, 3], t);
  algorithm
    y := c[1]*x + c[2];
    while y > 100 loop
      y := y/2;
    end while;
  end line;
  function parabola
    input Real x, t[2];
    output Real y;
  protected
    Real c[2] = solution([2, 1; 1, 3], t);
  algorithm
    y := c[1]*x*x + c[2];
    while y > 100 loop
      y := y/2;
    end while;
  end parabola;
  function parabola_x = der(parabola, x);
  parameter Real t[2] = {1, 2};
  Real x(start = 1.9, fixed = true);
  Real y = line(x, t), v = der(y);
  Real z = line(x, {3, 1}), w = der(z);
  Real slope = parabola_x(x, t);
equation
  der(x) = 0.1;
  annotation(experiment(StopTime = 1));
end DerivedCoefficients;
