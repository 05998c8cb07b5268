// An algorithm determines what it assigns in a loop that has no turn: as its start value, or as the value before.
//? value s 5 0
//? value m 3 0
//? value v[1] 11 1e-12
//? value v[2] 2 1e-12
//? value q 2 1e-12
//? value u[1] 7 0
model EmptyLoops
  constant Integer n = 0;
  parameter Integer i = 1;
  Real s(start=5), v[2], q, u[1];
  Integer m(start=3, fixed=true);
equation
  u[1] = 7;
algorithm
  for k in 1:n loop
    s := s + 1;
    for j in 1:2 loop
      m := m + j;
    end for;
  end for;
  for i in 2:1 loop
    u[i] := 0;
  end for;
  for i in 1:2 loop
    v[i] := i*time;
    if i == 2 then
      v[1] := v[1] + 10;
    end if;
  end for;
  q := 1;
  for j in {1, 2}, k in 1:n loop
    q := q + s;
  end for;
  q := 2*q;
  annotation (experiment(StopTime=1));
end EmptyLoops;
