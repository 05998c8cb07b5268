// Algebraic loops among equations that tick: implicit Euler with feedback, x(k) = 1/1.1^k; two equations of two
// unknowns; one that is not linear, z + exp(z) = 0.5 at the last tick.
//? at 0.05 held 1 0
//? value held 0.6209213230591551 1e-14
//? value sum 3 1e-14
//? value other 1.5 1e-14
//? value root -0.2662486081617503 1e-12
//? value n 6 0
model ClockLoops
  Real x(start = 1), held = hold(x), a, b, c, sum = hold(a), other = hold(b), z, root = hold(z), u;
  Integer count(start = 0), n = hold(count);
equation
  u = sample(time, Clock(Clock(1, 10), solverMethod = "ImplicitEuler"));
  der(x) = c - u - x;
  c = u;
  a - 2*b = c - u;
  a + 2*b = 12*u;
  z + exp(z) = u;
  count = previous(count) + (if u >= 0 then 1 else 2);
  annotation(experiment(StopTime = 0.55, Interval = 0.05));
end ClockLoops;
