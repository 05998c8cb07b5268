partial model RotatingPendulum "ARGESIM C21, 4: a mass on a rope, which swings, and falls when the rope is slack"
  constant Real pi = 2*asin(1);
  parameter Real m(unit="kg") = 1.5 "mass";
  parameter Real l(unit="m") = 1 "length of the rope";
  parameter Real k(unit="kg/s") = 0.9 "drag";
  parameter Real g(unit="m/s2") = 9.81 "gravity";
  parameter Real phi0(unit="rad") = pi/4 "angle at the start, from the upper vertical";
  parameter Real omega0(unit="rad/s") = 15 "angular velocity at the start";
  parameter Real psi_end(unit="rad") = pi/10 "a turn nearer than this to the lower vertical is the last one";
  Real x_mass(unit="m") "position of the mass";
  Real y_mass(unit="m") "position of the mass, upwards";
  Real spin(unit="rad/s") "angular velocity around the pivot";
  Real force(unit="N") "of the rope";
  Boolean swinging(start=true, fixed=true) "the rope is taut";
  Boolean forwards = spin > 0;
  Boolean last(start=false, fixed=true) "the last turn was near the lower vertical";
  Integer turns(start=0, fixed=true) "so far";
  discrete Real psi(unit="rad", start=pi, fixed=true) "angle of the latest turn, from the lower vertical";
equation
  when {forwards, not forwards} then
    turns = if pre(swinging) then pre(turns) + 1 else pre(turns);
    psi = if pre(swinging) then atan2(-x_mass, -y_mass) else pre(psi);
    last = abs(psi) < psi_end;
  end when;
end RotatingPendulum;

model MaximalStateSpace "the states of swinging and falling together; those not needed are held"
  extends RotatingPendulum;
  parameter Real gamma = 0 "omega is multiplied by this in the lowest point after the last turn; 0: end at this turn";
  parameter Real phi_end(unit="rad") = 2*pi "the run ends here after the kick";
  Real phi(unit="rad", start=phi0, fixed=true) "angle from the upper vertical";
  Real omega(unit="rad/s", start=omega0, fixed=true) "angular velocity";
  Real x(unit="m", start=0, fixed=true), y(unit="m", start=0, fixed=true);
  Real vx(unit="m/s", start=0, fixed=true), vy(unit="m/s", start=0, fixed=true);
  Boolean outwards = x*vx + y*vy > 1e-6*l^2 "the mass goes away from the pivot, and not by rounding";
  Boolean taut = (if outwards and not pre(swinging) then x^2 + y^2 - l^2 else -l^2) >= 0;
  Boolean kicked(start=false, fixed=true);
equation
  der(phi) = if swinging then omega else 0;
  der(omega) = if swinging then -k/m*omega + g/l*sin(phi) else 0;
  der(x) = if swinging then 0 else vx;
  der(y) = if swinging then 0 else vy;
  m*der(vx) = if swinging then 0 else -k*vx;
  m*der(vy) = if swinging then 0 else -m*g - k*vy;
  x_mass = if swinging then l*sin(phi) else x;
  y_mass = if swinging then l*cos(phi) else y;
  spin = if swinging then omega else (y*vx - x*vy)/(x^2 + y^2);
  force = if swinging then m*l*omega^2 - m*g*cos(phi) else 0;
  when force <= 0 and not pre(kicked) then
    swinging = false;
    kicked = false;
    reinit(x, l*sin(phi));
    reinit(y, l*cos(phi));
    reinit(vx, l*pre(omega)*cos(phi));
    reinit(vy, -l*pre(omega)*sin(phi));
  elsewhen taut then
    swinging = true;
    kicked = false;
    reinit(phi, atan2(x, y));
    reinit(omega, (y*vx - x*vy)/l^2);
  elsewhen pre(last) and not pre(kicked) and (if pre(forwards) then phi >= pi else phi <= pi) then
    swinging = true;
    kicked = true;
    reinit(omega, gamma*pre(omega));
  end when;
  when last and abs(gamma) <= 0 or kicked and phi >= phi_end then
    terminate("the end");
  end when;
  annotation(experiment(StopTime=20, Tolerance=1e-10));
end MaximalStateSpace;

model DaeForm "Cartesian coordinates throughout; the rope is a constraint while the mass swings"
  extends RotatingPendulum;
  Real x(unit="m", start=l*sin(phi0), fixed=true), y(unit="m", start=l*cos(phi0), fixed=true);
  Real vx(unit="m/s", start=l*omega0*cos(phi0), fixed=true), vy(unit="m/s", start=-l*omega0*sin(phi0), fixed=true);
  Real lambda(unit="N/m") "force of the rope over its length";
  Boolean outwards = x*vx + y*vy > 1e-6*l^2 "the mass goes away from the pivot, and not by rounding";
  Boolean taut = (if outwards and not pre(swinging) then x^2 + y^2 - l^2 else -l^2) >= 0;
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -k*vx - lambda*x;
  m*der(vy) = -k*vy - lambda*y - m*g;
  // Swinging: x^2 + y^2 = l^2, differentiated twice. Falling: no force.
  0 = if swinging then x*der(vx) + y*der(vy) + vx^2 + vy^2 else lambda;
  x_mass = x;
  y_mass = y;
  spin = (y*vx - x*vy)/(x^2 + y^2);
  force = lambda*l;
  when force <= 0 then
    swinging = false;
  elsewhen taut then
    swinging = true;
    reinit(vx, pre(spin)*y);
    reinit(vy, -pre(spin)*x);
  end when;
  when last then
    terminate("the end");
  end when;
  annotation(experiment(StopTime=20, Tolerance=1e-10));
end DaeForm;
