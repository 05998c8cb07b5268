// A clock whose interval changes, three times faster, and later by half an interval: its intervals 2/10, 3/10, 4/10, ...
// begin at 0, 0.2, 0.5, 0.9, 1.4.
//? at 0.05 fast 1 0
//? at 0.06 fast 1 0
//? at 0.08 fast 2 0
//? at 0.14 fast 3 0
//? at 0.21 fast 4 0
//? at 0.29 fast 4 0
//? at 0.31 fast 5 0
//? at 0.49 fast 6 0
//? at 0.51 fast 7 0
//? at 0.63 fast 7 0
//? at 0.64 fast 8 0
//? value fast 12 0
//? at 0.09 late 0 0
//? at 0.11 late 1 0
//? at 0.34 late 1 0
//? at 0.36 late 2 0
//? at 0.71 late 3 0
//? value late 4 0
//? at 0.45 width 0.1 1e-12
//? value width 0.16666666666666667 1e-12
model ClockVaryingFaster
  Integer n(start = 1), seen, fast(start = 0), late(start = 0);
  Real width;
  Clock c = Clock(n, 10);
equation
  n = previous(n) + 1;
  seen = sample(1, c)*n;
  fast = previous(fast) + 1 + 0*superSample(seen, 3);
  width = interval(fast);
  late = previous(late) + 1 + 0*shiftSample(seen, 1, 2);
  annotation(experiment(StopTime = 1.35, Interval = 0.01));
end ClockVaryingFaster;
