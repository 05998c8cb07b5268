partial model CraneCrab "ARGESIM C13: a car on a rail, a load on a cable below it, and the motor of the car"
  parameter Real mc(unit="kg") = 10 "mass of the car";
  parameter Real ml(unit="kg") = 100 "mass of the load";
  parameter Real r(unit="m") = 5 "length of the cable";
  parameter Real g(unit="m/s2") = 9.81 "gravity";
  parameter Real dc_free(unit="kg/s") = 0.5 "friction of the car, brake released";
  parameter Real dc_brake(unit="kg/s") = 1e5 "friction of the car, brake on";
  parameter Real dl(unit="kg/s") = 0.01 "friction of the load";
  parameter Boolean linear = false "the equations for small angles";
  Real xc(unit="m", start=0, fixed=true) "position of the car";
  Real vc(unit="m/s", start=0, fixed=true) "velocity of the car";
  Real alpha(unit="rad", start=0, fixed=true) "angle of the cable";
  Real omega(unit="rad/s", start=0, fixed=true) "angular velocity of the cable";
  Real fc(unit="N", start=0, fixed=true) "force of the motor on the car";
  Real xl(unit="m") = xc + r*(if linear then alpha else sin(alpha)) "position of the load";
  Real motor(unit="N") "force that the motor is asked for";
  Real fd(unit="N") "disturbance, on the load";
  Boolean brake "is on";
  Real dc(unit="kg/s") = if brake then dc_brake else dc_free;
equation
  der(xc) = vc;
  der(alpha) = omega;
  der(fc) = -4*(fc - motor);
  // Lagrange's equations, not solved for the accelerations; or the linear ones.
  0 = if linear then mc*der(vc) - fc - g*ml*alpha + dc*vc
      else (mc + ml)*der(vc) + ml*r*(der(omega)*cos(alpha) - omega^2*sin(alpha)) - fc - fd + dc*vc
           + dl*(vc + r*omega*cos(alpha));
  0 = if linear then r*der(omega) + g*(1 + ml/mc)*alpha - (dc/mc - dl/ml)*vc + r*dl/ml*omega + fc/mc - fd/ml
      else ml*r^2*der(omega) + ml*r*der(vc)*cos(alpha) + ml*g*r*sin(alpha) - fd*r*cos(alpha)
           + dl*(vc*r*cos(alpha) + r^2*omega);
end CraneCrab;

model OpenLoop "task A: the motor pulls for 15 s, the load is pushed back"
  extends CraneCrab;
  parameter Real push(unit="N") = -800 "from 4 s to 7 s";
equation
  motor = if time < 15 then 160 else 0;
  fd = if time >= 4 and time < 7 then push else 0;
  brake = false;
  annotation(experiment(StopTime=2000, Tolerance=1e-10));
end OpenLoop;

model Controlled "tasks B and C: observer, state feedback and diagnosis, every 10 ms"
  extends CraneCrab;
  parameter Boolean diagnosis = false "brake and emergency stop";
  parameter Boolean second_push = false "from 46 s to 47 s";
  parameter Boolean delayed = false "a control value acts one cycle after it was computed";
  constant Real M[5, 5] = {{0.96, 0, 0, 0, 0}, {0, 1, 0.01, 0, 0}, {0.001, 0, 0.9995, 0.981, 0},
    {0, 0, 0, 1, 0.01}, {-0.0002, 0, 0.0001, -0.2158, 1}};
  constant Real d[5] = {34.5724, 0.2395, 2.0322, 0.0164, -0.1979};
  constant Real b[5] = {0.04, 0, 0, 0, 0};
  constant Real h[5] = {2.9, 109.5, 286.0, 1790.6, 44.5};
  constant Real V = 109.5;
  constant Real force_max(unit="N") = 160;
  discrete Real q[5](each start=0, each fixed=true) "observed fc, xc, vc, alpha, omega";
  discrete Real wanted(unit="m") "desired position of the car";
  discrete Real command(unit="N", start=0, fixed=true) "the control value";
  discrete Real sent(unit="N", start=0, fixed=true) "the control value that acts, brake or not";
  Integer calm(start=0, fixed=true) "cycles with next to no force wanted, one after the other";
  Boolean emergency(start=false, fixed=true) "the car has been beyond an end of the rail";
  Boolean at_end = xc > 5 or xc < -5 "a switch at an end of the rail is on";
equation
  when sample(0, 0.01) then
    wanted = if time < 16 then 3 elseif time < 36 then -0.5 else 3.8;
    q = M*pre(q) + d*(xc - pre(q[2])) + b*pre(command);
    command = max(-force_max, min(force_max, V*wanted - h*q));
    sent = if delayed then pre(command) else command;
    calm = if abs(sent) < 0.01 then pre(calm) + 1 else 0;
    emergency = pre(emergency) or diagnosis and at_end;
    brake = diagnosis and (emergency or calm > 301);
    motor = if brake then 0 else sent;
  end when;
  fd = if time >= 42 and time < 43 then -200 elseif second_push and time >= 46 and time < 47 then 200 else 0;
  annotation(experiment(StopTime=60, Tolerance=1e-10));
end Controlled;
