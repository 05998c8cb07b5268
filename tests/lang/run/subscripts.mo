// Subscripts that are known when the model runs: only those count whose element is asked for, and those of a Boolean
// dimension begin with false. x is the sum of -1, t, 2 t, 3 t over its quarter.
//? at 0.4 u 10 0
//? at 0.4 z 0.4 1e-12
//? value x 0.8125 1e-9
//? value y -1 0
//? value z 6 1e-12
//? value u 20 0
//? value big 0 0
//? value stored 22.5 1e-12
//? value s 16 0
model M
  function square
    input Integer i;
    output Integer y;
  protected
    Integer a[4];
  algorithm
    for k in 1:4 loop
      a[k] := k*k;
    end for;
    y := a[i];
  end square;
  Real a[3] = {time, 2*time, 3*time};
  Real m[2, 3] = {{1, 2, 3}, {4, 5, 6}}*time;
  Real w[Boolean] = {10, 20};
  Integer i(start = 0, fixed = true);
  Boolean b = time > 0.6;
  Real y = if i >= 1 and i <= 3 then a[i] else -1;
  Boolean big = i >= 1 and i <= 3 and a[i] > 1;
  Real z = m[if b then 2 else 1, if i > 2 then 3 else 1];
  Real u = w[b];
  Real x(start = 0, fixed = true);
  discrete Real buffer[12];
  Real stored = sum(buffer[k]*k for k in 1:12);
  Integer s = square(max(i, 1));
equation
  der(x) = y;
  when sample(0.25, 0.25) then
    i = pre(i) + 1;
  end when;
algorithm
  when change(i) then
    buffer[i] := buffer[i] + time;
    buffer[2*i] := buffer[2*i] + time;
  end when;
  annotation(experiment(StopTime = 1));
end M;
