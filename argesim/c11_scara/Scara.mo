partial model Scara "ARGESIM C11: a robot with two turning arms and a lifting axis, and its three motors"
  parameter Real m1(unit="kg") = 8 "mass of the first arm";
  parameter Real m2(unit="kg") = 6 "mass of the second arm";
  parameter Real m3A(unit="kg") = 2.5 "mass of the drive at the end of the second arm";
  parameter Real m3L(unit="kg") = 0.5 "mass of the load, which is lifted";
  parameter Real L1(unit="m") = 0.4 "length of the first arm";
  parameter Real L2(unit="m") = 0.3 "length of the second arm";
  parameter Real J3(unit="kg.m2") = 9.1e-6 "inertia of the rotor of axis 3";
  parameter Real g(unit="m/s2") = 9.81 "gravity";
  parameter Real R[3](each unit="Ohm") = {3.9, 50, 40} "resistances";
  parameter Real L[3](each unit="H") = {7.3e-3, 25e-3, 25e-3} "inductances";
  parameter Real kT[3](each unit="N.m/A") = {0.4, 0.25, 0.4} "torque over current";
  parameter Real u[3] = {130, 100, 1047} "gears; the third one in rad/m";
  parameter Real Imax[3](each unit="A") = {6.64, 2.771, 1.732} "limits of the currents";
  parameter Real Umax[3](each unit="V") = {100, 75, 90} "limits of the voltages";
  parameter Real P[3] = {1000, 1000, 5000} "control: volts for the distance";
  parameter Real D[3] = {10, 25, 10} "control: volts for the velocity";
  parameter Real goal[3] = {2, 2, 0.3} "where the robot is to go";
  final parameter Real m3 = m3A + m3L;
  final parameter Real T1 = (m1/3 + m2 + m3)*L1^2;
  final parameter Real T2 = (m2/2 + m3)*L1*L2;
  final parameter Real T3 = (m2/3 + m3)*L2^2;
  Real q[3](each start=0, each fixed=true) "two angles and a height";
  Real w[3](each start=0, each fixed=true) "their velocities";
  Real I[3](each unit="A", each start=0, each fixed=true) "currents";
  Real M[3] = u.*kT.*I "torques and force of the motors";
  Real target[3] "what the control is told";
  Real asked[3](each unit="V") "voltages that the control asks for";
  Real U[3](each unit="V") "voltages";
  Real pull[3](each unit="V") "what is left of the voltages for a change of the currents";
  Boolean high[3] = {asked[k] > Umax[k] for k in 1:3};
  Boolean low[3] = {asked[k] < -Umax[k] for k in 1:3};
  Boolean top[3](each start=false, each fixed=true) "the current is held at its upper limit";
  Boolean bottom[3](each start=false, each fixed=true) "the current is held at its lower limit";
  Boolean held[3] = {top[k] or bottom[k] for k in 1:3};
  Real x(unit="m") = L1*cos(q[1]) + L2*cos(q[1] + q[2]) "position of the tool";
  Real y(unit="m") = L1*sin(q[1]) + L2*sin(q[1] + q[2]) "position of the tool";
equation
  der(q) = w;
  // The implicit model: a mass matrix on the left.
  (T1 + 2*T2*cos(q[2]) + T3)*der(w[1]) + (T2*cos(q[2]) + T3)*der(w[2]) =
    M[1] + T2*(2*w[1]*w[2] + w[2]^2)*sin(q[2]);
  (T2*cos(q[2]) + T3)*der(w[1]) + T3*der(w[2]) = M[2] - T2*w[1]^2*sin(q[2]);
  (m3L + u[3]^2*J3)*der(w[3]) = M[3] - m3L*g;
  for k in 1:3 loop
    asked[k] = P[k]*(target[k] - q[k]) - D[k]*w[k];
    pull[k] = U[k] - u[k]*kT[k]*w[k] - R[k]*I[k];
    L[k]*der(I[k]) = if held[k] then 0 else pull[k];
    // Free: has the current come to its limit? Held: does the voltage still push it outwards?
    top[k] = (if pre(top[k]) then pull[k] else I[k] - Imax[k]) > 0;
    bottom[k] = (if pre(bottom[k]) then pull[k] else I[k] + Imax[k]) < 0;
    when not top[k] then
      reinit(I[k], Imax[k]);
    elsewhen not bottom[k] then
      reinit(I[k], -Imax[k]);
    end when;
  end for;
end Scara;

model PointToPoint "task b: from the start to the goal"
  extends Scara;
equation
  target = goal;
  U = {if high[k] then Umax[k] elseif low[k] then -Umax[k] else asked[k] for k in 1:3};
  annotation(experiment(StopTime=2, Tolerance=1e-9));
end PointToPoint;

model Obstacle "task c: the tool is lifted over an obstacle"
  extends Scara;
  parameter Real x_obstacle(unit="m") = 0.2 "a plane";
  parameter Real z_obstacle(unit="m") = 0.2 "its height";
  parameter Real distance(unit="m") = 0.2 "the tool has to be as high as the obstacle here";
  Boolean near = x < x_obstacle + distance;
  Boolean above = q[3] >= z_obstacle;
  Boolean lifting(start=false, fixed=true) "the arms wait until the tool is above the obstacle";
  discrete Real wait[2](each start=0, each fixed=true) "where they wait";
equation
  when near and not above and not pre(lifting) then
    lifting = true;
    wait = {q[1], q[2]};
  elsewhen above then
    lifting = false;
    wait = pre(wait);
  end when;
  target = {if lifting then wait[1] else goal[1], if lifting then wait[2] else goal[2], goal[3]};
  U = {if k == 3 and lifting then Umax[k] elseif high[k] then Umax[k] elseif low[k] then -Umax[k] else asked[k]
    for k in 1:3};
  annotation(experiment(StopTime=2.5, Tolerance=1e-9));
end Obstacle;
