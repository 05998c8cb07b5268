// Intervals that change from tick to tick: counted ones add up without rounding, the first tick is at the start.
// Ticks of n at 0, 0.2, 0.5, 0.9, 1.4, 2.0, 2.7; of r at 0, 0.5, 0.75, 0.875.
//? at 0.05 held 2 0
//? at 0.95 held 5 0
//? at 1.05 held 5 0
//? value held 8 0
//? value last 2.7 1e-14
//? at 1.05 step 0.4 1e-14
//? at 0.05 step 0.1 0
//? value slow 7 0
//? value third 0.875 0
model ClockVarying
  Integer n(start = 1), slowly;
  Integer held = hold(n), slow = hold(slowly);
  Real last = hold(t), t, step = hold(h), h, r(start = 0.5), third = hold(tr), tr;
  Clock c = Clock(n, 10);
  discrete Real k(start = 0);
equation
  when c then
    n = previous(n) + 1;
    t = sample(time);
    h = interval();
  end when;
  slowly = subSample(n, 2) - 1;
  when Clock(r) then
    r = if previous(k) < 3 then 0.5^k else 100;
    k = previous(k) + 1;
    tr = sample(time);
  end when;
  annotation(experiment(StopTime = 3, Interval = 0.05));
end ClockVarying;
