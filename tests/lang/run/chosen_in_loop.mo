// Elements that are chosen during the run, assigned in a loop: the cost is that of the turns. A loop that makes events makes them still.
//? value s 66328.66324 0.2
//? value a[9] 126.55052776 1e-3
//? value w 0.5 1e-9
model ChosenInLoop
  parameter Integer n = 600;
  Integer k[n](each start = 1, each fixed = true), j[2] = {3, if time > 10 then 1 else 2};
  Real a[n], b[3], x(start = 1, fixed = true), s, w(start = 0, fixed = true);
algorithm
  when sample(0.5, 1) then
    for i in 1:n loop
      k[i] := mod(7*i, n) + 1;
    end for;
  end when;
algorithm
  a := zeros(n);
  for i in 1:n loop
    a[k[i]] := i*x;
  end for;
  s := sum(a);
algorithm
  b := zeros(3);
  for i in 1:2 loop
    b[j[i]] := if time > 0.5 then 1 else 0;
  end for;
equation
  der(x) = -x;
  der(w) = b[3];
  annotation(experiment(StopTime = 1));
end ChosenInLoop;
