// What a factor 0 takes to nothing says all the same when an equation ticks.
//? value slow 6 0
//? value quick 22 0
//? at 0.35 slow 2 0
//? value dry 0 0
//? value never 0 0
model ClockOfZeroFactor
  Integer n(start = 0), slow(start = 0), quick(start = 0);
  Real dry, never;
  Clock c = Clock(1, 10);
equation
  when c then
    n = previous(n) + 1;
  end when;
  slow = previous(slow) + 1 + 0*subSample(n, 2);
  quick = previous(quick) + 1 + superSample(n, 2)*0;
  dry = 0/sample(time + 1, c) + 0*previous(dry);
  never = if false and sample(time > 2, c) then 1 else 0;
  annotation(experiment(StopTime = 1.05));
end ClockOfZeroFactor;
