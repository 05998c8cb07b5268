// So is a discrete variable.
//? fails 'i' is not finite at the start: look for a division by zero or a function outside its domain [integer_divided_by_zero.mo:5:
model M
  parameter Integer zero = 0;
  Integer i = mod(5, zero);
end M;
