// From t = 0.5 on, both clutches hold: how they share the load is not determined.
//? warns t = 0.5: more than one solution
//? at 0.4 a 1 1e-12
//? value s 3 1e-12
model OpenAtEvent
  Real a, b, s;
  Boolean both = time >= 0.5;
equation
  a + b = 3;
  (if both then 1 else 2)*a + b = if both then 3 else 4;
  s = a + b;
  annotation(experiment(StopTime = 1, Interval = 0.1));
end OpenAtEvent;
