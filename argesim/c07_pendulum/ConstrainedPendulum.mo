model PendulumToTheTurn "stops at the largest deflection on the side of the pin"
  extends ConstrainedPendulum;
equation
  when not free and omega >= 0 then
    terminate("largest deflection");
  end when;
  annotation(experiment(StopTime=10, Tolerance=1e-8));
end PendulumToTheTurn;

model ConstrainedPendulum "ARGESIM C7: a pendulum whose thread meets a pin"
  constant Real pi = 2*asin(1);
  parameter Real m(unit="kg") = 1.02 "mass";
  parameter Real l(unit="m") = 1 "length of the thread";
  parameter Real lp(unit="m") = 0.7 "distance of the pin from the pivot";
  parameter Real g(unit="m/s2") = 9.81 "gravity";
  parameter Real d(unit="kg/s") = 0.2 "damping";
  parameter Real phi_p(unit="rad") = -pi/12 "angle of the pin";
  parameter Boolean linear = false "sin(phi) is replaced by phi";
  Real phi(unit="rad", start=pi/6, fixed=true) "angle of the thread";
  Real omega(unit="rad/s", start=0, fixed=true) "angular velocity";
  Boolean free = phi > phi_p "the thread does not touch the pin";
  Real length(unit="m") = if free then l else l - lp "length that swings";
  Real speed(unit="m/s") = length*omega "speed of the mass, which does not jump";
equation
  der(phi) = omega;
  der(omega) = -g/length*(if linear then phi else sin(phi)) - d/m*omega;
  when not free then
    reinit(omega, pre(omega)*l/(l - lp));
  elsewhen free then
    reinit(omega, pre(omega)*(l - lp)/l);
  end when;
  annotation(experiment(StopTime=10, Tolerance=1e-8));
end ConstrainedPendulum;
