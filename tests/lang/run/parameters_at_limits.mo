// On the limit, and beside it by rounding alone.
//? value y 0.3 1e-12
model ParametersAtLimits
  parameter Real a(max = 0.3) = 0.1 + 0.2, b(min = 0) = 0, c(min = 0) = 0.3 - 0.1 - 0.2;
  parameter Integer n(min = 1, max = 3) = 3;
  Real y = a + b + c + 0*n;
end ParametersAtLimits;
