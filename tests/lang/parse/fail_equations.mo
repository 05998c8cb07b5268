model M
  Real x;
equation
  x := 1;
  x == 2;
  x + 1;
  Real y;
  parameter Real z = 1;
  while x > 1 loop
  break;
  elsif
  x = 1;
end M;
