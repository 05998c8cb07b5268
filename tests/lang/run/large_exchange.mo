// All elements of a long array are those before the assignment.
//? value y 2500 0
//? value z 1 0
model LargeExchange
  function f
    input Real x;
    output Real y[2];
  protected
    Real a[2500];
  algorithm
    for i in 1:2500 loop
      a[i] := i + x;
    end for;
    a := a[end:-1:1];
    y := {a[1], a[2500]};
  end f;
  Real x = time, v[2] = f(x), y = v[1] - x, z = v[2] - x;
  annotation(experiment(StopTime = 1));
end LargeExchange;
