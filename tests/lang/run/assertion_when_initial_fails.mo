//? fails too small
model AssertionWhenInitialFails
  Real x(start = 1, fixed = true);
equation
  der(x) = x;
  when initial() then
    assert(x > 2, "too small");
  end when;
  annotation(experiment(StopTime = 2));
end AssertionWhenInitialFails;
