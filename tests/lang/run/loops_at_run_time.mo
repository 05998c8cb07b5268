// Loops of a model whose way is known only during the run: in an algorithm, in `when`, at the start; ranges and subscripts that
// change, `break`, elements of matrices and of records. At an end, what the loop does not reach is as before.
//? value y 0.0676676416183064 1e-6
//? at 0 y 0.0625 1e-9
//? value halves 1 0
//? value kept 0.0676676416183064 1e-6
//? value root 1.4142135623730951 1e-12
//? value steps 5 0
//? value s 4.060058497098381 1e-6
//? at 0.25 s 3.8940039153570245 1e-6
//? value a[4] 0.5413411329464508 1e-6
//? value a[5] 0 0
//? at 0.25 a[3] 0 0
//? value b[1,4] 1.1353352832366128 1e-6
//? value b[2,3] 30 0
//? value b[2,4] 2.1353352832366128 1e-6
//? at 0.25 b[2,3] 0 0
//? value r[1].p 5 1e-9
//? value r[3].p 3 1e-9
//? value r[2].q[2] 22 0
//? value collatz 16 0
//? value sorted[1] 0.1353352832366127 1e-6
//? value sorted[2] 0.5 0
//? value sorted[3] 2 0
//? at 0.25 sorted[1] 0.25 1e-9
//? value guarded 0 0
model LoopsAtRunTime
  record R
    Real p, q[2];
  end R;
  Real x(start = 1, fixed = true), y;
  discrete Real kept(start = 0, fixed = true);
  Integer halves(start = 0, fixed = true);
  parameter Real root(fixed = false);
  parameter Integer steps(fixed = false);
  Integer n = if time > 0.5 then 4 else 2;
  Real a[5], b[3, 4], s, sorted[3], swapped, guarded;
  R r[3];
  Integer number, collatz;
initial algorithm
  root := 1;
  steps := 0;
  while abs(root*root - 2) > 1e-12 loop
    root := (root + 2/root)/2;
    steps := steps + 1;
  end while;
algorithm
  y := x;
  while y > 0.1 loop
    y := y/2;
  end while;
algorithm
  when sample(0.1, 0.1) then
    kept := x;
    halves := 0;
    while kept > 0.1 loop
      kept := kept/2;
      halves := halves + 1;
    end while;
  end when;
algorithm
  for i in 1:5 loop
    a[i] := 0;
  end for;
  for i in 1:n loop
    a[i] := i*x;
  end for;
  s := 0;
  for i in 1:n, j in i:5 loop
    if a[j] < 1e-9 then
      break;
    end if;
    s := s + a[j];
  end for;
algorithm
  b := zeros(3, 4);
  for i in 1:n - 1 loop
    b[i, n] := i + x;
    if i < n then
      b[2, i] := 10*i;
    end if;
  end for;
algorithm
  for k in 1:3 loop
    r[k].p := 0;
    r[k].q := {0, 0};
  end for;
  for k in 1:n - 1 loop
    r[n - k].p := k + time;
    r[k].q[2] := k + 10*k;
  end for;
algorithm
  number := if time > 0.5 then 7 else 6;
  collatz := 0;
  while number <> 1 loop
    number := if mod(number, 2) == 0 then div(number, 2) else 3*number + 1;
    collatz := collatz + 1;
    assert(collatz < 100, "too long");
  end while;
algorithm
  sorted := {time, 0.5, x};
  swapped := 1;
  while swapped > 0 loop
    swapped := 0;
    for i in 1:2 loop
      if sorted[i] > sorted[i + 1] then
        sorted[{i, i + 1}] := {sorted[i + 1], sorted[i]};
        swapped := 1;
      end if;
    end for;
  end while;
algorithm
  guarded := 0;
  if time > 10 then
    while guarded < 1 loop
      guarded := guarded + time - 10;
    end while;
  end if;
equation
  der(x) = -x;
  annotation(experiment(StopTime = 2, Interval = 0.25));
end LoopsAtRunTime;
