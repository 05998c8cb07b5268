// What is asserted at the start need not hold later.
//? value x 0.1353352832366127 1e-6
model AssertionsOfStart
  Real x(start = 1, fixed = true);
initial equation
  assert(x > 0.5, "too small");
equation
  der(x) = -x;
initial algorithm
  assert(x > 0.9, "too small");
  annotation(experiment(StopTime = 2));
end AssertionsOfStart;
