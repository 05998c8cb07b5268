// Loops among equations that tick hold from their first tick on: what they sample is not known before (3/u, log(u) and
// the sampled p would be at 0), and the first solution is looked for from the start values, of which x = 20 is one.
// a*b = v, a = 3/v + 0.1*b: 0.1*b^2 + 3*b/v - v = 0. c^3 = c^2 + c + 1 at the first of its ticks.
//? at 0.05 held 20 1e-14
//? value held 20 1e-14
//? at 0.05 product 1.2321245982864903 1e-12
//? at 0.05 root 1 1e-12
//? at 0.25 later 7 0
//? at 0.35 later 1.8392867552141612 1e-12
//? at 0.25 c 7 0
//? value count 11 0
model ClockLoopStarts
  Real x(start = 20), u, held = hold(x);
  Real v, a(start = 1), b(start = 1), product = hold(b);
  Real w, l(start = 1), root = hold(l);
  Real c(start = 7), later = hold(c);
  Integer k(start = 0), count = hold(k);
equation
  u = sample(20, Clock(0.1));
  (x - u)*(x - u + 10) = 0;
  k = previous(k) + (if u > 1 then 1 else 100);
  v = sample(2 + time, Clock(1, 10));
  a*b = v;
  a = 3/v + 0.1*b;
  w = sample(1 + time, Clock(1, 10));
  l = 1 + log(w) + 0.1*(l - 1);
  when shiftSample(Clock(1, 10), 3) then
    c^3 = c^2 + c + 1/sample(0.7 + time);
  end when;
  annotation(experiment(StopTime = 1, Interval = 0.05));
end ClockLoopStarts;
