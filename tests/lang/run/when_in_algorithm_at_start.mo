// Nothing becomes true at the start, with whatever left limit b begins: only initial() fires there.
//? value n 0 0
//? value m 0 0
//? value k 1 0
//? value i 1 0
//? value edges 1 0
model WhenInAlgorithmAtStart
  Boolean b(start = false), c(start = false, fixed = true), d(start = false);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true), k(start = 0, fixed = true);
  Integer i(start = 0, fixed = true), edges(start = 0, fixed = true);
algorithm
  b := time < 1.5;
algorithm
  c := time < 1.5;
algorithm
  d := time > 0.5;
algorithm
  when b then
    n := pre(n) + 1;
  end when;
algorithm
  when {c, not d} then
    m := pre(m) + 1;
  end when;
algorithm
  when d then
    k := k + 1;
  end when;
algorithm
  when {b, initial()} then
    i := i + 1;
  elsewhen c then
    i := i + 10;
  end when;
algorithm
  when edge(d) then
    edges := edges + 1;
  end when;
  annotation(experiment(StopTime = 1));
end WhenInAlgorithmAtStart;
