// A signal that rests on its limit is not above it.
//? value w 0 1e-12
//? value v 0 1e-12
//? value b 0 0
//? value reached 1 0
//? value s 2.0943951023931953 1e-6
model RestOnALimit
  Real u = 2*sin(time);
  Real y = if u > 1 then 1 elseif u < -1 then -1 else u;
  Boolean over = y > 1, under = y < -1, at = y >= 1;
  Real w(start = 0, fixed = true), v(start = 0, fixed = true), s(start = 0, fixed = true);
  Real x = if time < 0.25 then time else 0.25;
  Boolean b = x > 0.25, reached = x >= 0.25;
equation
  der(w) = if over then 1 else 0;
  der(v) = if under then 1 else 0;
  der(s) = if at then 1 else 0;
  annotation(experiment(StopTime = 6, Tolerance = 1e-8));
end RestOnALimit;
