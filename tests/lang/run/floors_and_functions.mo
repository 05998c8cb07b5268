// Integers made of floors, which are remembered between events, and of functions of what changes all the time, which are not: by
// equations, and by algorithms with relations and loops.
//? value n -3 0
//? at 0.25 n 5 0
//? value m -2 0
//? at 0.25 m 5 0
//? value k 0 0
//? at 0.25 k 9 0
//? value second.n -3 0
//? at 0.25 second.n 5 0
//? value second.m -3 0
//? at 0.25 second.m 12 0
//? value second.k 3 0
//? at 0.25 second.k 5 0
//? value third.r -14 0
//? at 0.25 third.r 14 0
//? value third.n 0 0
//? at 0.25 third.n 2 0
//? value third.changes 6 0
model FloorsAndFunctions
  function reached "the first Integer from k on that is not below x"
    input Real x;
    input Integer k;
    output Integer n = k;
  algorithm
    while n < x loop
      n := n + 1;
    end while;
  end reached;
  model Second
    input Real x;
    Integer n, m, k;
    Real y;
  algorithm
    n := integer(x);
    if x > 0.5 then
      n := n + reached(x, 0);
    end if;
    m := 0;
    y := x;
    while y > 1 loop
      y := y/2;
      m := m + n;
    end while;
    if m > integer(x) then
      m := m + integer(x);
    end if;
    k := abs(n);
  end Second;
  model Third
    input Real x;
    parameter Real w[3] = {0.7, 2.3, 3.5};
    parameter Integer q[3] = {4, 5, 6};
    Integer n, r, changes(start = 0, fixed = true);
  algorithm
    n := 1;
    while n < 3 and w[n] < x loop
      n := n + 1;
    end while;
    r := q[n] + integer(x)*q[4 - n];
    n := rem(r, 2) + (if r > 5 then integer(x) else 0);
  algorithm
    when change(n) then
      changes := pre(changes) + 1;
    end when;
  end Third;
  Real x = 2.9*sin(5*time);
  Integer n, m, k;
  Second second(x = x);
  Third third(x = x);
equation
  n = integer(x) + reached(x, 0);
  m = if x > 1 then integer(2*x) else reached(x, -5);
  k = max(integer(x), reached(x, 0))*2 + div(reached(x, 0), 2) + mod(integer(x), 3);
  annotation(experiment(StopTime = 1, Interval = 0.25));
end FloorsAndFunctions;
