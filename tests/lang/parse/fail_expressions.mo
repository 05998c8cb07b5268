model M
  Real x;
equation
  x = 1 +;
  x = a < b < c;
  x = a^b^c;
  x = a * -b;
  x = 2^-1;
  x = if a then b;
  x = 1 + if a then b else c;
  x = f(a = 1, 2);
  x = {};
  x = [];
  x = y[end] + end;
  x = output;
  x = = 1;
  x = function f(1);
end M;
