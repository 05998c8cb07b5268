// The matrix of a double root is singular, but there is no other solution beside it.
//? value x 0 1e-6
//? value y 1 1e-6
model DoubleRoot
  Real x(start = 1), y(start = 3);
equation
  x^2 + (y - 1)^2 = 0;
  x*(y + 2) = y - 1;
end DoubleRoot;
