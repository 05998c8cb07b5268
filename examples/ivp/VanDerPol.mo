model VanDerPol "Relaxation oscillator: long slow arcs, jumps in between"
  parameter Real mu = 1000 "Damping";
  Real y(start = 2, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(y) = v;
  der(v) = mu * (1 - y^2) * v - y;
  annotation(experiment(StopTime = 2000));
end VanDerPol;
