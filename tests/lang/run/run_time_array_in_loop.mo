// A trial of Newton's method may ask for a size that is no number, or too large: it is one trial.
//? value y 0.010002000200013334 1e-9
//? value z -4.97074936968465 1e-9
function Mean
  input Real x, size;
  output Real y;
protected
  Integer n = integer(size) + 3;
  Real w[n];
algorithm
  for i in 1:n loop
    w[i] := x;
  end for;
  y := sum(w)/n;
  annotation(Inline = false);
end Mean;
model RunTimeArrayInLoop
  Real x(start = 1, fixed = true), y(start = 4), z(start = -8);
equation
  der(x) = 1;
  log(Mean(y, sqrt(y))) = log(0.01) + 1e-4*x;
  exp(Mean(z, 10^(z + 9))) = exp(-5) + 1e-4*x;
  annotation(experiment(StopTime = 1));
end RunTimeArrayInLoop;
