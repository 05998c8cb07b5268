// What is assigned to an element that is chosen during the run is what its fields were before.
//? value y 918 1e-9
//? value z 918 1e-9
model RecordsExchanged
  record R
    Real a, b;
  end R;
  function f
    input Real x;
    input Integer n;
    output Real y;
  protected
    R r[4];
  algorithm
    for i in 1:4 loop
      r[i] := R(i*x, i);
    end for;
    for i in 1:n loop
      r[i] := R(r[i].b, r[i].a);
    end for;
    y := sum(r.a) + 100*r[n].b;
  end f;
  Real x = 2 + time, y, z;
  Integer n = if time > 0.5 then 3 else 2;
  R r[4];
equation
  y = f(x, n);
  z = sum(r.a) + 100*({r[i].b for i in 1:4})[n];
algorithm
  for i in 1:4 loop
    r[i] := R(i*x, i);
  end for;
  for i in 1:n loop
    r[i] := R(r[i].b, r[i].a);
  end for;
  annotation(experiment(StopTime = 1));
end RecordsExchanged;
