// der() among equations that tick, by the methods of Euler with step 1/10: the first tick has the start value.
//? at 0.06 x 0 0
//? at 0.16 x 0 1e-15
//? at 0.26 x 0.01 1e-15
//? value x 0.3486784401 1e-12
//? at 0.06 y 2 0
//? at 0.16 y 2.01 1e-12
//? at 0.26 y 2.03 1e-12
model M
  Real x(start=0), y(start=2), u, w;
equation
  u = sample(time, Clock(Clock(1, 10), solverMethod="ExplicitEuler"));
  der(x) = u - x;
  w = sample(time, Clock(Clock(0.1), solverMethod="ImplicitEuler"));
  der(y) = w;
  annotation (experiment(StopTime=1.05, Interval=0.02));
end M;
