// Only the sum is known.
//? warns t = 0: more than one solution, of which one near the values before is taken: nonlinear equations for
model OpenNonlinearLoop
  Real x(start = 1), y(start = 2);
equation
  (x + y)^2 = 4;
  exp(x + y) = exp(2);
end OpenNonlinearLoop;
