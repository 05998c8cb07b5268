// The delayed value of an Integer or a Boolean is one, and changes at events.
//? at 0.5 n 0 0
//? at 0.85 n 1 0
//? at 1.25 n 2 0
//? value n 3 0
//? value m 3 0
//? value b 1 0
//? value seen 3 0
model DelayOfNumbers
  Integer k(start = 0, fixed = true);
  Integer n, m;
  Boolean b = delay(k >= 2, 0.3);
  Integer seen(start = 0, fixed = true);
equation
  when sample(0.5, 0.4) then
    k = pre(k) + 1;
  end when;
  n = integer(delay(k, 0.3));
  m = delay(k, 0.3, 1);
  when change(n) then
    seen = pre(seen) + 1;
  end when;
  annotation(experiment(StopTime = 1.65, Interval = 0.05));
end DelayOfNumbers;
