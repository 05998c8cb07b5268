// An interval that is sampled: s = 2*exp(-t), the next tick after 0.1*s. interval() at the first tick is that of the
// sampled value, and x the product of (1 - interval) over the intervals.
//? rtol 1e-10
//? at 0.05 step 0.2 1e-12
//? at 0.25 step 0.2 1e-12
//? at 0.45 step 0.1637461506155964 1e-9
//? value ticks 9 0
//? value held 0.3429227253986255 1e-9
model ClockSampledInterval
  Real s(start = 2, fixed = true), x(start = 1), held = hold(x), h, step = hold(h);
  Integer n(start = 0), ticks = hold(n);
equation
  der(s) = -s;
  when Clock(Clock(0.1*sample(s)), solverMethod = "ExplicitEuler") then
    der(x) = -x;
    h = interval();
    n = previous(n) + 1;
  end when;
  annotation(experiment(StopTime = 1, Interval = 0.05));
end ClockSampledInterval;
