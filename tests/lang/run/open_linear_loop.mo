// The second equation says what the first one says: of all solutions the nearest to the start values is taken, and told.
//? warns t = 0: more than one solution, of which one near the values before is taken: linear equations for
//? value sum 1 1e-12
model OpenLinearLoop
  Real x, y, sum = x + y;
equation
  x + y = 1;
  2*x + 2*y = 2;
end OpenLinearLoop;
