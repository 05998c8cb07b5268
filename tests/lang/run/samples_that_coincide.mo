// Samples that are meant for one instant, though their times miss each other by rounding.
//? value n 9 0
//? value m 18 0
//? value k 19 0
//? value seen 3 0
model SamplesThatCoincide
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
  Integer i(start = 0, fixed = true), k(start = 0, fixed = true);
  Integer seen(start = 0, fixed = true);
  parameter Real h = 0.1;
equation
  when sample(0.1, 0.1) then
    n = pre(n) + 1;
  end when;
  when sample(0.3, 0.3) then
    m = pre(m) + n;
  end when;
  when sample(0, h) then
    i = pre(i) + 1;
  end when;
  when sample(0, 3*h) then
    k = pre(k) + pre(i) + (if pre(i) == 0 then 1 else 0);
    seen = pre(seen) + (if i == pre(i) + 1 and time > 0 then 1 else 0);
  end when;
  annotation(experiment(StopTime = 0.95));
end SamplesThatCoincide;
