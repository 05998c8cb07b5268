// A constant of a record that is not final is an input of its constructor, and what a function is
// given.
//? value a 8 0
//? value b 6 1e-12
//? value c 9 1e-12
record R
  constant Integer m = 0;
  Real x = 1;
end R;
record Named
  constant String name;
  constant Real ratios[2];
end Named;
function next
  input R r;
  output Integer n;
algorithm
  n := r.m;
  while n < r.m + 1 loop
    n := n + 1;
  end while;
end next;
function of_ratio
  input Real d;
  input Named n;
  output Real y;
algorithm
  y := d*n.ratios[2];
end of_ratio;
record Open
  Real v[:] = {1, 2, 3};
  Real w[size(v, 1)];
end Open;
model RecordConstants
  R r = R(m = 7, x = time);
  Integer a;
  parameter Named n = Named(name = "n", ratios = {1, 3});
  Real b = of_ratio(2*time, n);
  Open o = Open({4*time, 5}, {1, 1});
  Real c = sum(o.v);
equation
  a = next(r);
  annotation(experiment(StopTime = 1));
end RecordConstants;
