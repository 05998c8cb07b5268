// An assertion whose condition makes no event is looked at after each step.
//? fails assertion failed: the level is too low
function IsPositive
  input Real x;
  output Boolean y = x > 0.1;
  annotation(Inline = false);
end IsPositive;
model AssertWithoutEvent
  Real level(start = 1, fixed = true);
equation
  der(level) = -2;
  assert(IsPositive(level), "the level is too low");
  assert(noEvent(level < 2), "never");
  annotation(experiment(StopTime = 1, Interval = 0.1));
end AssertWithoutEvent;
