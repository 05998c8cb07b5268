// Parameters that are computed from one without a value: all of them are found by the initial equations.
//? value q 7 0
//? value r 8 0
//? value x 8 1e-12
model FreeParameters
  final parameter Integer p(fixed=false);
  parameter Integer q = 2*p + 1;
  parameter Real r = q + 1;
  Real x(start=r, fixed=true);
initial equation
  p = if time < 1 then 3 else 4;
equation
  der(x) = 0;
end FreeParameters;
