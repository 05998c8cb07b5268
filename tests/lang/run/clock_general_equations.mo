// In a `when` with a clock equations have any form; the trapezoidal rule: x(k + 1) = x(k) (1 - h/2)/(1 + h/2) for x' = -x.
//? value e 0.6062776116457449 1e-14
//? value w 2 1e-14
//? value z 1 1e-14
model ClockGeneralEquations
  Real x(start = 1), e, a, b, y(start = 0), v[2], w, z;
equation
  when Clock(Clock(1, 10), solverMethod = "ImplicitTrapezoid") then
    der(x) = -x;
    -x = der(y);
    a + b = 3;
    a - b = 1;
    {1, 2} .* v = {1, 2};
  end when;
  e = hold(x);
  w = hold(a);
  z = hold(v[2]);
  annotation(experiment(StopTime = 0.55));
end ClockGeneralEquations;
