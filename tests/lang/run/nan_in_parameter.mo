// The value of a parameter that a comparison with NaN decides.
//? fails 'r' is not finite
model NanInParameter
  parameter Real q = -1;
  parameter Real r = if sqrt(q) > 0.1 then 1 else 2;
  Real x(start = 0, fixed = true);
equation
  der(x) = r;
end NanInParameter;
