// So does a division by zero, here at an event.
//? fails 'part.y' is not finite at t = 0.5; it comes from part.y = 1/part.n (in part) [division_by_zero.mo:5:12]
model Part
  Integer n(start = 2, fixed = true);
  Real y = 1/n;
equation
  when sample(0.25, 0.25) then
    n = pre(n) - 1;
  end when;
end Part;
model M
  Part part;
  annotation(experiment(StopTime = 1));
end M;
