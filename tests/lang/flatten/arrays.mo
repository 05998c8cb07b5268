// Array declarations, operators, functions, slices, for-equations, comprehensions.
model Arrays
  parameter Integer n = 3;
  parameter Real A[n, n] = [1, 2, 3; 4, 5, 6; 7, 8, 10];
  Real x[n](start = {1, 2, 3}, each fixed = true);
  Real y[n], z[2], s, t[n - 1];
  Real m[2, 2] = [x[1:2], y[2:3]];
equation
  der(x) = -A*x;
  y = transpose(A)*x + cross(x, {1, 0, 0});
  z = x[{1, end}] .* {2, 3};
  s = sum(i*x[i] for i in 1:n) + x*y + max(x) + product(y) + size(A, 2);
  for i in 1:n - 1 loop
    t[i] = if i < 2 then x[i + 1] - x[i] else (linspace(0, 1, 5))[2];
  end for;
end Arrays;
