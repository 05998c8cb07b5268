model DynamicContact "ARGESIM C21, 2.2: a ball whose contact takes time"
  parameter Real x0(unit="m") = 10 "height at the start";
  parameter Real v0(unit="m/s") = 0 "velocity at the start";
  parameter Real g(unit="m/s2") = 9.81 "gravity";
  parameter Real beta(unit="1/m") = 0.002 "drag";
  parameter Real k(unit="N/m") = 1e6 "stiffness";
  parameter Real d(unit="N.s/m") = 500 "damping";
  constant Real m(unit="kg") = 1 "mass";
  Real x(unit="m", start=x0, fixed=true) "height of the lower side, were the ball not deformed";
  Real v(unit="m/s", start=v0, fixed=true) "velocity, upwards";
  Real w(unit="m", start=0, fixed=true) "deformation";
  Real force(unit="N") = -k*x - d*v "on the ball, in contact";
  Boolean rising = v > 0 "the ball is on its way up";
  Boolean contact(start=false, fixed=true) "the ball touches the floor";
  Integer contacts(start=0, fixed=true) "so far";
equation
  der(x) = v;
  m*der(v) = if contact then -m*g + force elseif rising then -m*g - m*beta*v^2 else -m*g + m*beta*v^2;
  der(w) = if contact then -v else -k/d*w;
  contact = if pre(contact) then force > 0 else x + w <= 0 and not rising;
  when contact then
    contacts = pre(contacts) + 1;
  end when;
  annotation(experiment(StopTime=5, Tolerance=1e-10));
end DynamicContact;
