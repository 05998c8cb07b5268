// A rate that is not a number names the equation it comes from, not only the state.
//? fails 'part.v' comes from part.v = log(part.h) (in part) [non_finite_rate.mo:6:3]
model Part
  Real h(start = 1, fixed = true), v, s(start = 0, fixed = true), w = 2*v;
equation
  v = log(h);
  der(h) = -1;
  der(s) = w;
end Part;
model M
  Part part;
  annotation(experiment(StopTime = 2));
end M;
