// Results and local arrays of size [:] have the size of what is assigned to them first, in functions
// that are not executed in place (because of assert and while), too; so have arrays of records.
//? value y[1] 4 1e-9
//? value y[2] 3 1e-9
//? value s 11 1e-9
//? value z[2,1] 6 1e-9
//? value n 3 1e-9
//? value rest[1].x 4 1e-9
//? value rest[2].y[1] 5 1e-9
//? value rest[2].y[2] 6 1e-9
//? value grid[2,1].x 5 1e-9
//? value grid[1,2].y[2] 4 1e-9
//? value total 14 1e-9
//? value later 2 1e-9
function fractions
  input Real x;
  output Real y[:];
algorithm
  y := {x, 1};
  assert(y[1] > -1, "below");
  y := y + {2, 2};
end fractions;

function sums
  input Real x;
  input Real a[:];
  output Real s;
  output Real z[:, :];
  output Integer n;
protected
  Real w[:], v[:];
  Real rest = x;
algorithm
  w := cat(1, a, {x});
  (v) := fractions(x);
  n := size(w, 1);
  s := 0;
  while rest > 0 loop
    s := s + w[end] + v[2];
    rest := rest - 1;
  end while;
  s := s + w[1];
  z := {{x, 1}, {3*x, 0}};
end sums;

record R
  Real x, y[2];
end R;
function behind "all but the first; their sum; the size"
  input R rs[:];
  output R rest[:];
  output Real total = 0;
protected
  R w[:], all[:] = rs;
  Integer n = size(rs, 1);
algorithm
  assert(n > 1, "too few");
  rest := all[2:end];
  w := rest;
  w[1].x := w[1].x + 1;
  rest[n - 1].x := w[n - 1].x;
  for r in w loop
    total := total + r.x;
  end for;
  total := total + size(w, 1) + size(rest, 1);
end behind;
function squared
  input R rs[:];
  output R grid[:, :];
  output Integer later;
algorithm
  assert(size(rs, 1) > 1, "too few");
  grid := {{rs[1], rs[2]}, {rs[3], rs[1]}};
  later := size(grid, 2);
end squared;

model OpenSizes
  Real y[2] = fractions(time);
  Real s, z[2, 2];
  Integer n, later;
  R rs[3] = {R(time, {1, 2}), R(2*time, {3, 4}), R(2.5*time, {5, 6})}, rest[2], grid[2, 2];
  Real total;
equation
  (rest, total) = behind(rs);
  (grid, later) = squared(rs);
  (s, z, n) = sums(time, {1, 5});
  annotation(experiment(StopTime = 2));
end OpenSizes;
