// The limit is another parameter, and the initial equations find the value.
//? fails 'p' is 0.5, less than its min, 1 [parameter_below_min.mo:5:18]
model ParameterBelowMin
  parameter Real least = 1;
  parameter Real p(fixed = false, min = least);
  Real x(start = 1, fixed = true);
initial equation
  der(x) = -0.5;
equation
  der(x) = -p*x;
end ParameterBelowMin;
