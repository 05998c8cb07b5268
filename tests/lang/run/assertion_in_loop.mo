// A loop that assigns nothing is there for its assertions.
//? fails too big
model AssertionInLoop
  Real u;
  Integer n = if time > 0.5 then 3 else 2;
equation
  u = time;
algorithm
  for i in 1:n loop
    assert(u < 0.5 + 0.1*i, "too big");
  end for;
  annotation(experiment(StopTime = 2));
end AssertionInLoop;
