// At the start a subscript counts when floors and relations have found their values, not before.
//? at 1 y 10 0
//? value y 20 0
//? value z 2 0
model M
  Real a[2] = {10, 20};
  Real y = a[integer(1.2 + time/4)];
  Integer n[2] = {1, 2};
  Integer z = n[integer(1.2 + time/4)];
  annotation(experiment(StopTime = 4));
end M;
