// A parameter that has no finite value is refused at the start.
//? fails 'p' is not finite at the start: look for a division by zero or a function outside its domain [parameter_divided_by_zero.mo:5:
model M
  parameter Real zero = 0;
  parameter Real p = 1/zero;
  Real x = p;
end M;
