//? fails 'w' in function 'RunTimeArrayOfNegativeSize.f' has a negative size
model RunTimeArrayOfNegativeSize
  function f
    input Integer n;
    output Real s;
  protected
    Real w[n - 2];
  algorithm
    s := sum(w);
  end f;
  Real s = f(if time > 0.5 then 1 else 2);
  annotation(experiment(StopTime = 1));
end RunTimeArrayOfNegativeSize;
