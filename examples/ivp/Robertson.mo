model Robertson "Three reactions with rates nine decades apart, over eleven decades of time"
  parameter Real k1 = 0.04;
  parameter Real k2 = 3e7;
  parameter Real k3 = 1e4;
  Real y[3](start = {1, 0, 0}, each fixed = true);
equation
  der(y[1]) = -k1 * y[1] + k3 * y[2] * y[3];
  der(y[2]) = k1 * y[1] - k3 * y[2] * y[3] - k2 * y[2]^2;
  der(y[3]) = k2 * y[2]^2;
  annotation(experiment(StopTime = 1e11));
end Robertson;
