// A reinit under initial() is an initial equation; later it is one again at each of its events.
//? at 0 x 5 1e-12
//? at 0 y 6 1e-12
//? at 0 n 1 0
//? value x 7.5 1e-9
//? value y 0.09548054863142133 1e-6
//? value n 2 0
model ReinitAtStart
  Real x(start=0), y(start=1), u(start=2, fixed=true);
  Integer n(start=0, fixed=true);
equation
  der(x) = 1;
  der(y) = -u;
  der(u) = -u;
  when {initial(), time >= 2} then
    reinit(x, 5);
    n = pre(n) + 1;
  end when;
  when {initial(), sample(1, 1)} then
    reinit(y, 3*u);
  end when;
  annotation (experiment(StopTime=4.5));
end ReinitAtStart;
