function f
  input Real x;
  output Real y;
algorithm
  y = 2*x;
  f(x) := 2;
  (y, x) := 3;
  y + 1;
  connect(x, y);
end f;
