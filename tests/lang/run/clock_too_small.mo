// An interval that is positive but does not move time on ends the run.
//? fails the next tick is not later than this one
model ClockTooSmall
  Real d(start = 0.1);
  Integer n(start = 0);
equation
  when Clock(d) then
    n = previous(n) + 1;
    d = if n == 5 then 1e-17 else 0.1;
  end when;
  annotation(experiment(StopTime = 1));
end ClockTooSmall;
