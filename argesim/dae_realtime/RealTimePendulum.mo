model PendulumWithoutConstraint "The same with lambda eliminated: four states, nothing holds them"
  parameter Real g(unit="m/s2") = 13.7503716373294544;
  Real x(unit="m", start=1, fixed=true);
  Real y(unit="m", start=0, fixed=true);
  Real u(unit="m/s", start=0, fixed=true);
  Real v(unit="m/s", start=0, fixed=true);
  Real lambda(unit="1/s2") = (g*y - u^2 - v^2)/(x^2 + y^2);
equation
  der(x) = u;
  der(y) = v;
  der(u) = lambda*x;
  der(v) = lambda*y - g;
  annotation(experiment(StopTime=100));
end PendulumWithoutConstraint;

model RealTimePendulum "A pendulum in Cartesian coordinates, index 3"
  parameter Real g(unit="m/s2") = 13.7503716373294544 "gravity, for a period of 2 s";
  Real x(unit="m", start=1, fixed=true);
  Real y(unit="m", start=0);
  Real u(unit="m/s", start=0);
  Real v(unit="m/s", start=0, fixed=true);
  Real lambda(unit="1/s2") "pull of the rod";
equation
  der(x) = u;
  der(y) = v;
  der(u) = lambda*x;
  der(v) = lambda*y - g;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime=100));
end RealTimePendulum;
