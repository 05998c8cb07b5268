// Integers beyond 2^53 that a double holds, comparisons of those that it does not, and what is not taken.
//? value a 2432902008176640000 0
//? value b 2432902008176640000 0
//? value c 1 0
//? value d 3 0
//? value e 2007237709 0
model LargeIntegers
  function factorial
    input Integer n;
    output Integer r = 1;
  algorithm
    for i in 1:n loop
      r := r*i;
    end for;
  end factorial;
  function minimal "of Park and Miller: all products are below 2^46"
    input Integer s;
    output Integer r;
  algorithm
    r := mod(16807*s, 2147483647);
  end minimal;
  Integer k = if time > 0.5 then 20 else 2, big = 100000007*k;
  Real a = factorial(k), b = factorial(20);
  Boolean c = big*big > 4e18;
  Integer d = if big < 10 then mod(big*big*big, 7) else 3;
  Integer e(start = 1, fixed = true);
equation
  when sample(0.05, 0.1) then
    e = minimal(pre(e));
  end when;
  annotation(experiment(StopTime = 1));
end LargeIntegers;
