// What cancels but for a part that is far above rounding is as good as its digits: no warning.
//? value x 1 1e-3
//? value y 1 1e-3
model NearlySingular
  parameter Real e = 1e-12;
  Real x, y;
equation
  x + y = 2;
  x + (1 + e)*y = 2 + e;
end NearlySingular;
