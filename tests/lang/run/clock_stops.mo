// An interval that is not positive ends the run.
//? fails the interval of a clock is not positive
model ClockStops
  Integer n(start = 3);
equation
  when Clock(n, 10) then
    n = previous(n) - 1;
  end when;
  annotation(experiment(StopTime = 3));
end ClockStops;
