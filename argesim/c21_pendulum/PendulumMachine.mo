partial model PendulumMachine "the pendulum as a state machine: what its blocks share"
  constant Real pi = 2*asin(1);
  inner parameter Real m(unit="kg") = 1.5 "mass";
  inner parameter Real l(unit="m") = 1 "length of the rope";
  inner parameter Real k(unit="kg/s") = 0.9 "drag";
  inner parameter Real g(unit="m/s2") = 9.81 "gravity";
  inner parameter Real phi0(unit="rad") = pi/4 "angle at the start, from the upper vertical";
  inner parameter Real omega0(unit="rad/s") = 15 "angular velocity at the start";
  parameter Real psi_end(unit="rad") = pi/10 "a turn nearer than this to the lower vertical is the last one";
  parameter Real gamma = 0 "the velocity is multiplied by this in the lowest point after the last turn; 0: end at this turn";
  parameter Real phi_end(unit="rad") = 2*pi "the run ends here after the kick";
  inner Real x(unit="m") "position", y(unit="m", start=l*cos(phi0)) "position, upwards";
  inner Real spin(unit="rad/s") "angular velocity around the pivot";
  Boolean forwards = spin > 0;
  Boolean last = abs(psi) < psi_end "the latest turn was near the lower vertical";
  Integer turns(start=0, fixed=true) "so far";
  discrete Real psi(unit="rad", start=pi, fixed=true) "angle of the latest turn, from the lower vertical";

  block Falling
    outer parameter Real m, k, g;
    outer output Real x, y, spin;
    Real vx(unit="m/s"), vy(unit="m/s");
  equation
    der(x) = vx;
    der(y) = vy;
    m*der(vx) = -k*vx;
    m*der(vy) = -m*g - k*vy;
    spin = (y*vx - x*vy)/(x^2 + y^2);
  end Falling;
  Falling falling;
equation
  when {forwards, not forwards} then
    turns = pre(turns) + 1;
    psi = atan2(-x, -y);
  end when;
  when last and abs(gamma) <= 0 then
    terminate("a turn near the lower vertical");
  end when;
end PendulumMachine;

model TwoStateSpaces "angle and angular velocity, or four Cartesian states"
  extends PendulumMachine;
  block Swinging
    outer parameter Real m, l, k, g, phi0, omega0;
    outer output Real x, y, spin;
    Real phi(unit="rad", start=phi0, fixed=true), omega(unit="rad/s", start=omega0, fixed=true);
    Real force(unit="N") = m*l*omega^2 - m*g*cos(phi);
  equation
    der(phi) = omega;
    der(omega) = -k/m*omega + g/l*sin(phi);
    x = l*sin(phi);
    y = l*cos(phi);
    spin = omega;
  end Swinging;
  Swinging swinging;
  Swinging kicked "after the kick; the rope counts as a rod";
equation
  initialState(swinging);
  transition(swinging, kicked, last and (if psi > 0 then x >= 0 else x <= 0))
    annotation(__Arges_handOver(kicked(phi = swinging.phi, omega = gamma*swinging.omega)));
  when (if activeState(kicked) then kicked.phi else 0) >= phi_end then
    terminate("the goal of the kick");
  end when;
  transition(swinging, falling, swinging.force < 0)
    annotation(__Arges_handOver(falling(vx = l*swinging.omega*cos(swinging.phi), vy = -l*swinging.omega*sin(swinging.phi))));
  transition(falling, swinging, x^2 + y^2 > l^2)
    annotation(__Arges_handOver(swinging(phi = atan2(x, y), omega = (y*falling.vx - x*falling.vy)/l^2)));
  annotation(experiment(StopTime=20, Tolerance=1e-10));
end TwoStateSpaces;

model WithConstraint "Cartesian coordinates throughout, with the rope as a constraint: index 3"
  extends PendulumMachine;
  block Swinging
    outer parameter Real m, l, k, g, phi0, omega0;
    outer output Real x, y, spin;
    Real vx(unit="m/s"), vy(unit="m/s"), lambda(unit="N/m");
    Real force(unit="N") = lambda*l;
    Real angle(unit="rad", start=phi0, fixed=true) "from the upper vertical, full turns included";
  initial equation
    x = l*sin(phi0);
    vx = l*omega0*cos(phi0);
  equation
    der(angle) = spin;
    der(x) = vx;
    der(y) = vy;
    m*der(vx) = -k*vx - lambda*x;
    m*der(vy) = -k*vy - lambda*y - m*g;
    x^2 + y^2 = l^2;
    spin = (y*vx - x*vy)/l^2;
  end Swinging;
  Swinging swinging;
  Swinging kicked "after the kick; the rope counts as a rod";
equation
  initialState(swinging);
  transition(swinging, kicked, last and (if psi > 0 then x >= 0 else x <= 0))
    annotation(__Arges_handOver(x = x, y = y, kicked(vx = gamma*swinging.vx, vy = gamma*swinging.vy, angle = swinging.angle)));
  when (if activeState(kicked) then kicked.angle else 0) >= phi_end then
    terminate("the goal of the kick");
  end when;
  transition(swinging, falling, swinging.force < 0)
    annotation(__Arges_handOver(falling(vx = swinging.vx, vy = swinging.vy)));
  transition(falling, swinging, x^2 + y^2 > l^2)
    annotation(__Arges_handOver(x = x, y = y, swinging(vx = spin*y, vy = -spin*x, angle = atan2(x, y))));
  annotation(experiment(StopTime=20, Tolerance=1e-10));
end WithConstraint;
