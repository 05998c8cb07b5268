// What is not a number ends the run, also where no state needs it; its first equation is named.
//? fails 'part.y' is not finite at t = 1.002; it comes from part.y = sqrt(part.x - 1) (in part) [non_finite_output.mo:5:12]
model Part
  Real x(start = 2, fixed = true);
  Real y = sqrt(x - 1);
  Real z = y + 1;
equation
  der(x) = -1;
end Part;
model M
  Part part;
  annotation(experiment(StopTime = 2, Interval = 0.167));
end M;
