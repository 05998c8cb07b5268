// Results and local arrays of size [:] have the size of what is assigned to them first, in functions
// that are not executed in place (because of assert and while), too.
//? value y[1] 4 1e-9
//? value y[2] 3 1e-9
//? value s 11 1e-9
//? value z[2,1] 6 1e-9
//? value n 3 1e-9
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

model OpenSizes
  Real y[2] = fractions(time);
  Real s, z[2, 2];
  Integer n;
equation
  (s, z, n) = sums(time, {1, 5});
  annotation(experiment(StopTime = 2));
end OpenSizes;
