model M
  Real x
  Real y;
equation
  x = 1
  y = 2 z;
  x + y = 3 "ok"
end M;
