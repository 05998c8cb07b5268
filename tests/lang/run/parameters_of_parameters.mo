// Parameters that follow from two others each, 30 times over: 2^30 ways lead to the first two, and
// a loop has the last ones as factors.
//? value x 0.5 1e-12
//? value y 0.5 1e-12
model ParametersOfParameters
  parameter Real p = 1, q = 0;
  parameter Real a[30] = cat(1, {p}, {a[i - 1] + b[i - 1] for i in 2:30});
  parameter Real b[30] = cat(1, {q}, {a[i - 1] - b[i - 1] for i in 2:30});
  Real x, y;
equation
  a[29]*x + y^3 = 8192 + 0.125;
  x^3 + a[29]*y = 8192 + 0.125;
end ParametersOfParameters;
