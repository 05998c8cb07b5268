// An input of the model that has a value is computed from it all the time.
//? value x 1.5 1e-9
//? value y 13 1e-9
//? value n 5 0
model M
  input Real u = 3*time;
  input Boolean b = time > 0.4;
  input Integer n = 5;
  Real y = u + (if b then 10 else 0);
  Real x(start = 0, fixed = true);
equation
  der(x) = u;
  annotation(experiment(StopTime = 1));
end M;
