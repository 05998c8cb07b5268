// Fibonacci numbers: the 79th is the first beyond 2^53 that is odd.
//? fails is not finite at t = 
model IntegerSumTooLarge
  Integer a(start = 1, fixed = true), b(start = 0, fixed = true);
equation
  when sample(0.01, 0.01) then
    a = pre(a) + pre(b);
    b = pre(a);
  end when;
  annotation(experiment(StopTime = 1));
end IntegerSumTooLarge;
