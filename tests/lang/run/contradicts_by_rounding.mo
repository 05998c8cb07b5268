// Two equations that contradict each other, but for the rounding of their factors: there is no solution at 1e16.
//? fails singular: linear equations for
model ContradictsByRounding
  parameter Real a = 0.1, b = 0.7, c = 1;
  Real x, y;
equation
  a*x + b*y = c;
  3*a*x + 3*b*y = 3*c + 1;
end ContradictsByRounding;
