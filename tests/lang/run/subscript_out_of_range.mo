// An element that is not there ends the run, with the component, the reference as written and its place.
//? fails part: a[i] [subscript_out_of_range.mo:6:12]: subscript 4 is not in 1 .. 3
model Part
  Real a[3] = {time, 2*time, 3*time};
  Integer i(start = 1, fixed = true);
  Real y = a[i] + 1;
equation
  when sample(0.25, 0.25) then
    i = pre(i) + 1;
  end when;
end Part;
model M
  Part part;
  annotation(experiment(StopTime = 1));
end M;
