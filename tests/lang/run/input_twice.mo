// A type that says `input`, and a declaration that says so again.
//? value y 3 1e-12
//? value double.y 6 1e-12
connector In = input Real;
connector Out = output Real;
block Double
  input In u;
  output Out y;
equation
  y = 2*u;
end Double;
function triple
  input In u;
  output Out y;
algorithm
  y := 3*u;
end triple;
model InputTwice
  Double double(u = y);
  Real y = triple(time);
  annotation(experiment(StopTime = 1));
end InputTwice;
