// The second equation is three times the first, but 3*0.1 is rounded: the loop holds for many values, and says so.
//? warns more than one solution
//? value sum 1 1e-14
//? value u 1 0
model SingularByRounding
  parameter Real a = 0.1, b = 0.7, c = 1;
  Real x, y(start = 2), sum = a*x + b*y;
  Real u = 0.5 + time/2;
equation
  a*x + b*y = c;
  3*a*x + 3*b*y = 3*c;
end SingularByRounding;
