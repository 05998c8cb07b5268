// What depends on a parameter that the initial equations give is computed with it, and judged
// then.
//? value b 1.4 1e-9
//? value x 0.5 1e-9
model ParameterOfFreeParameter
  parameter Real a(fixed = false);
  parameter Real b(min = 1, max = 2) = 5.6/a;
  Real x(start = 0.5);
initial equation
  2*a = 8;
  der(x) = 0;
equation
  der(x) = b - 2.8*x;
  annotation(experiment(StopTime = 1));
end ParameterOfFreeParameter;
