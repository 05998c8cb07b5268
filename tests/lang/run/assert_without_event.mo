// An assertion whose condition makes no event is looked at after each step.
//? fails the level is 0
//? at 0.4 level 0.2 1e-6
function IsPositive
  input Real x;
  output Boolean y = x > 0.1;
  annotation(Inline = false);
end IsPositive;
model AssertWithoutEvent
  Real level(start = 1, fixed = true);
equation
  der(level) = -2;
  assert(IsPositive(level), "the level is " + String(level, significantDigits = 1));
  assert(noEvent(level < 2), "never");
  annotation(experiment(StopTime = 1, Interval = 0.1));
end AssertWithoutEvent;
