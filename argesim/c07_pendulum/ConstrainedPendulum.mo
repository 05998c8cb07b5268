model ConstrainedPendulum "ARGESIM C7: a pendulum whose thread meets a pin"
  parameter Real m(unit="kg") = 1.02 "mass";
  parameter Real l(unit="m") = 1 "length of the thread";
  parameter Real lp(unit="m") = 0.7 "distance of the pin from the pivot";
  parameter Real g(unit="m/s2") = 9.81 "gravity";
  parameter Real d(unit="kg/s") = 0.2 "damping";
  parameter Real phi_p(unit="rad") = -0.261799387799149 "angle of the pin";
  Real phi(unit="rad", start=0.523598775598299, fixed=true) "angle of the thread";
  Real v(unit="m/s", start=0, fixed=true) "speed of the mass: it does not jump at the pin";
  Real length(unit="m") = if phi > phi_p then l else l - lp "length that swings";
equation
  der(phi) = v/length;
  der(v) = -g*sin(phi) - d/m*v;
  annotation(experiment(StopTime=10, Tolerance=1e-10));
end ConstrainedPendulum;
