// Corners that make no event are kept, too: the past is halved towards them. References: closed forms.
//? rtol 1e-9
//? value y 1.125 3e-9
//? value w 0.53125 3e-9
//? at 1.65 sharp 0.15 1e-9
//? at 1.4 sharp 0.1 1e-9
//? at 1.5 sharp 0 1e-9
model DelayCorner
  Real y(start = 0, fixed = true), w(start = 0, fixed = true), x(start = -1, fixed = true);
  Real sharp = delay(noEvent(abs(time - 1)), 0.5);
equation
  der(x) = 1;
  der(y) = sharp;
  der(w) = delay(noEvent(if x > 0.25 then 2*x - 0.5 else 0), 0.25) + delay(noEvent(max(x, 0)), 0.25);
  annotation(experiment(StopTime = 2, Interval = 0.05));
end DelayCorner;
