model BouncingBall "ARGESIM C21: a ball that falls and bounces"
  parameter Real x0(unit="m") = 10 "height at the start";
  parameter Real v0(unit="m/s") = 0 "velocity at the start";
  parameter Real g(unit="m/s2") = 9.81 "gravity";
  parameter Real mu = 0.9 "coefficient of restitution";
  parameter Real beta(unit="1/m") = 0.002 "drag";
  Real x(unit="m", start=x0, fixed=true) "height";
  Real v(unit="m/s", start=v0, fixed=true) "velocity, upwards";
  Boolean rising = v > 0 "the ball is on its way up";
  Integer bounces(start=0, fixed=true) "so far";
equation
  der(x) = v;
  der(v) = if rising then -g - beta*v^2 else -g + beta*v^2;
  when x <= 0 and not rising then
    reinit(v, -mu*pre(v));
    bounces = pre(bounces) + 1;
  end when;
  annotation(experiment(StopTime=30, Tolerance=1e-10));
end BouncingBall;
