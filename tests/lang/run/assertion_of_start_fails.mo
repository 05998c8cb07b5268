//? fails too small
model AssertionOfStartFails
  Real x(start = 1, fixed = true);
initial equation
  assert(x > 2, "too small");
equation
  der(x) = x;
  annotation(experiment(StopTime = 2));
end AssertionOfStartFails;
