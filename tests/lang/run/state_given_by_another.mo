// y follows from x everywhere, x from y only where tanh is not flat: x is the state, though both are differentiated.
//? rtol 1e-8
//? value x 40 1e-6
//? value y 1 1e-9
//? value z 1 1e-6
model StateGivenByAnother
  Real x(start=0, fixed=true), y, z(start=0, fixed=true);
equation
  y = tanh(3*x);
  der(x) = 4;
  der(z) = der(y);
  annotation (experiment(StopTime=10));
end StateGivenByAnother;
