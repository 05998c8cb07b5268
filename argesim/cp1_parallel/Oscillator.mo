model Oscillator "ARGESIM CP1, TE-1, and CP2, C1: a mass on a spring, whose damping is random"
  parameter Real m(unit="kg") = 450 "mass";
  parameter Real k(unit="N/m") = 9000 "spring";
  parameter Real d(unit="N.s/m") = 1000 "damping";
  Real x(unit="m", start=0, fixed=true) "position";
  Real v(unit="m/s", start=0.1, fixed=true) "velocity";
equation
  der(x) = v;
  m*der(v) = -k*x - d*v;
  annotation(experiment(StopTime=2, Tolerance=1e-8));
end Oscillator;
