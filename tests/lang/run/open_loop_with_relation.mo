// A warning shows relations as they are written, and not the variables that stand for them.
//? warns (if 2*x >= 1 and floor(x) < 3 and time >= 0.5 then 1 else 2)*a + b = if
//? value s 3 1e-9
model OpenLoopWithRelation
  Real a, b, s, x(start=0, fixed=true);
equation
  der(x) = 1;
  a + b = 3;
  (if 2*x >= 1 and floor(x) < 3 and time >= 0.5 then 1 else 2)*a + b = if time >= 0.5 and 2*x >= 1 then 3 else 4;
  s = a + b;
  annotation(experiment(StopTime = 1, Interval = 0.1));
end OpenLoopWithRelation;
