// The derivative of a function whose array begins with its arguments.
//? value rate 0.5403023058681398 1e-7
model DerivedInitialArray
  function largest
    input Real a[:];
    output Real y;
  protected
    Real b[size(a, 1)] = a, t;
  algorithm
    for i in 1:size(a, 1) - 1 loop
      if b[i] > b[i + 1] then
        t := b[i];
        b[i] := b[i + 1];
        b[i + 1] := t;
      end if;
    end for;
    y := b[size(a, 1)];
  end largest;
  Real w, rate;
equation
  w = largest({-1, sin(time), -2});
  rate = der(w);
  annotation(experiment(StopTime = 1));
end DerivedInitialArray;
