// The derivative of a function whose array begins with the results of another one.
//? value v 0.19726023611141574 1e-7
//? value slope 2.5 1e-7
model DerivedInitialResults
  function g
    input Real x;
    output Real r[2];
  algorithm
    r := {sin(x), x};
    while r[2] < 3 loop
      r[2] := r[2]*x;
    end while;
  end g;
  function f
    input Real x;
    output Real y;
  protected
    Real a[2] = g(x);
  algorithm
    y := a[1]*a[2];
    while y > 100 loop
      y := y/2;
    end while;
  end f;
  // a Real loop variable that follows the argument
  function squares
    input Real x;
    output Real y;
  algorithm
    y := 0;
    for t in x:0.25:x + 1.1 loop
      y := y + t*t;
    end for;
    while y > 1000 loop
      y := y/2;
    end while;
  end squares;
  Real x(start = 1.9, fixed = true);
  Real z, v, w, slope;
equation
  der(x) = 0.1;
  z = f(x);
  v = der(z);
  w = squares(x);
  slope = der(w);
  annotation(experiment(StopTime = 1));
end DerivedInitialResults;
