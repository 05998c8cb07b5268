partial model Arms "two arms that turn, driven by torques in their joints"
  parameter Real m1(unit="kg"), m2(unit="kg") "masses of the arms";
  parameter Real m3(unit="kg") "mass at the end of the second arm";
  parameter Real L1(unit="m"), L2(unit="m") "lengths of the arms";
  parameter Real Jm[2](each unit="kg.m2") "inertias of the rotors, behind their gears";
  input Real q[2], w[2] "angles and their velocities";
  input Real M[2] "torques of the motors";
  Real a[2] "accelerations";
end Arms;

partial model Lagrange "the coefficients of the equations of motion"
  extends Arms;
  final parameter Real T1 = (m1/3 + m2 + m3)*L1^2 + Jm[1];
  final parameter Real T2 = (m2/2 + m3)*L1*L2;
  final parameter Real T3 = (m2/3 + m3)*L2^2;
end Lagrange;

model MassMatrix "the implicit model: a mass matrix on the left"
  extends Lagrange;
equation
  (T1 + 2*T2*cos(q[2]) + T3)*a[1] + (T2*cos(q[2]) + T3)*a[2] = M[1] + T2*(2*w[1]*w[2] + w[2]^2)*sin(q[2]);
  (T2*cos(q[2]) + T3)*a[1] + (T3 + Jm[2])*a[2] = M[2] - T2*w[1]^2*sin(q[2]);
end MassMatrix;

model SolvedByHand "the explicit model: solved for the accelerations with pencil and paper"
  extends Lagrange;
  Real m11 = T1 + 2*T2*cos(q[2]) + T3;
  Real m12 = T2*cos(q[2]) + T3;
  Real m22 = T3 + Jm[2];
  Real b1 = M[1] + T2*(2*w[1]*w[2] + w[2]^2)*sin(q[2]);
  Real b2 = M[2] - T2*w[1]^2*sin(q[2]);
equation
  a[1] = (m22*b1 - m12*b2)/(m11*m22 - m12^2);
  a[2] = (m11*b2 - m12*b1)/(m11*m22 - m12^2);
end SolvedByHand;

model Bodies "the physical model: three bodies, and the forces in the joints between them"
  extends Arms;
  Real r1[2] = L1/2*{cos(q[1]), sin(q[1])} "centre of the first arm";
  Real r2[2] = 2*r1 + L2/2*{cos(q[1] + q[2]), sin(q[1] + q[2])} "centre of the second arm";
  Real r3[2] = 2*r2 - 2*r1 "the mass at its end";
  Real v1[2], v2[2], v3[2] "their velocities";
  Real F1[2], F2[2], F3[2] "forces on arm 1, arm 2 and the mass at the end, in their joints";
  Real N1 = M[1] - Jm[1]*a[1] "torque behind the first gear";
  Real N2 = M[2] - Jm[2]*a[2] "torque behind the second gear";
equation
  v1 = der(r1);
  v2 = der(r2);
  v3 = der(r3);
  m1*der(v1) = F1 - F2;
  m2*der(v2) = F2 - F3;
  m3*der(v3) = F3;
  // About the centres of the arms; a force F at the distance r turns with r[1]*F[2] - r[2]*F[1].
  m1*L1^2/12*a[1] = N1 - N2 - (r1[1]*(F1[2] + F2[2]) - r1[2]*(F1[1] + F2[1]));
  m2*L2^2/12*(a[1] + a[2]) = N2 - ((r2[1] - 2*r1[1])*(F2[2] + F3[2]) - (r2[2] - 2*r1[2])*(F2[1] + F3[1]));
end Bodies;

partial model Scara "ARGESIM C11: a robot with two turning arms and a lifting axis, and its three motors"
  parameter Real m1(unit="kg") = 8 "mass of the first arm";
  parameter Real m2(unit="kg") = 6 "mass of the second arm";
  parameter Real m3A(unit="kg") = 2.5 "mass of the drive at the end of the second arm";
  parameter Real m3L(unit="kg") = 0.5 "mass of the load, which is lifted";
  parameter Real L1(unit="m") = 0.4 "length of the first arm";
  parameter Real L2(unit="m") = 0.3 "length of the second arm";
  parameter Real J[3](each unit="kg.m2") = {0, 0, 9.1e-6} "inertias of the rotors";
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
  parameter Real start_q[3] = {0, 0, 0} "where it is";
  parameter Real start_I[3](each unit="A") = {0, 0, 0} "currents that hold it there";
  replaceable model Motion = MassMatrix constrainedby Arms;
  Motion arms(m1=m1, m2=m2, m3=m3A + m3L, L1=L1, L2=L2, Jm=u[1:2].^2 .*J[1:2], q=q[1:2], w=w[1:2], M=M[1:2]);
  Real q[3](start=start_q, each fixed=true) "two angles and a height";
  Real w[3](each start=0, each fixed=true) "their velocities";
  Real I[3](each unit="A", start=start_I, each fixed=true) "currents";
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
  der(w[1:2]) = arms.a;
  (m3L + u[3]^2*J[3])*der(w[3]) = M[3] - m3L*g;
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

model PointToPointByHand
  extends PointToPoint(redeclare model Motion = SolvedByHand);
end PointToPointByHand;

model PointToPointWithBodies
  extends PointToPoint(redeclare model Motion = Bodies);
end PointToPointWithBodies;

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

partial model EarlierData "the data with which C11 was solved before those above were found: assumed"
  extends Scara(m3A=0, m3L=2, J={1e-4, 1e-4, 1e-5}, R={1, 1, 1}, L={2e-3, 2e-3, 2e-3}, kT={0.05, 0.05, 0.05},
    u={100, 100, 200}, Imax={8, 8, 8}, Umax={40, 40, 40}, P={100, 100, 1000}, D={20, 20, 40}, goal={2, 2, 0.1},
    start_q={0, 0, 0.1}, start_I={0, 0, m3L*g/(u[3]*kT[3])});
end EarlierData;

model EarlierPointToPoint
  extends EarlierData;
equation
  target = goal;
  U = {if high[k] then Umax[k] elseif low[k] then -Umax[k] else asked[k] for k in 1:3};
  annotation(experiment(StopTime=2, Tolerance=1e-9));
end EarlierPointToPoint;

model EarlierObstacle "the tool is lifted above the obstacle, and goes down again behind it"
  extends EarlierData;
  parameter Real x_obstacle(unit="m") = 0.2 "a plane";
  parameter Real z_obstacle(unit="m") = 0.2 "its height";
  parameter Real distance(unit="m") = 0.2 "the tool has to be as high as the obstacle here, before and behind";
  parameter Real z_above(unit="m") = 0.25 "where it goes while it passes";
  type Phase = enumeration(coming, lifting, above, behind);
  Phase phase(start=Phase.coming, fixed=true);
  discrete Real wait[2](each start=0, each fixed=true) "where the arms wait";
equation
  when x < x_obstacle + distance and q[3] < z_obstacle and pre(phase) == Phase.coming then
    phase = Phase.lifting;
    wait = {q[1], q[2]};
  elsewhen q[3] >= z_obstacle and pre(phase) == Phase.lifting then
    phase = Phase.above;
    wait = pre(wait);
  elsewhen x < x_obstacle - distance and pre(phase) == Phase.above then
    phase = Phase.behind;
    wait = pre(wait);
  end when;
  target = {if phase == Phase.lifting then wait[1] else goal[1], if phase == Phase.lifting then wait[2] else goal[2],
    if phase == Phase.above then z_above else goal[3]};
  U = {if k == 3 and phase == Phase.lifting then Umax[k] elseif high[k] then Umax[k] elseif low[k] then -Umax[k]
    else asked[k] for k in 1:3};
  annotation(experiment(StopTime=2, Tolerance=1e-9));
end EarlierObstacle;
