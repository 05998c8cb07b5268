// A function that calls itself without end, found in the run.
//? fails function 'f' calls itself too deeply
function f
  input Real x;
  output Real y;
algorithm
  y := f(x + 1);
end f;
model M
  Real x = f(time);
end M;
