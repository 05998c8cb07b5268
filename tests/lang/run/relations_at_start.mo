// At the start a relation is computed as soon as what it compares is known: what follows from a
// wrong one may not be computable.
//? value d 1.75 1e-6
//? value p 2.4261226388505337 1e-5
function density
  input Real h;
  input Boolean liquid;
  output Real d;
algorithm
  assert(liquid == (h < 1), "the other phase has no density here");
  d := 2 - h;
end density;
model M
  Real h(start = 0, fixed = true), d, p(start = 4, fixed = true, stateSelect = StateSelect.prefer), m;
  Boolean liquid = h < 1;
equation
  der(h) = 0.25;
  d = density(h, liquid);
  m = p ^ 2;
  der(m) = -m;
  annotation(experiment(StopTime = 1));
end M;
