model M
  Real x(start = 1;
  Real y[3;
equation
  y = {1, 2;
  x = f(1, 2;
  x = (1 + 2;
  x = [1, 2; 3, 4;
end M;
