model Andrews "Andrews' squeezer: seven bodies in a plane, three loops, index 3"
  parameter Real m[7] = {0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498} "Masses";
  parameter Real J[7] = {2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5} "Moments of inertia";
  parameter Real xa = -0.06934;
  parameter Real ya = -0.00227;
  parameter Real xb = -0.03635;
  parameter Real yb = 0.03273;
  parameter Real xc = 0.014;
  parameter Real yc = 0.072;
  parameter Real d = 0.028;
  parameter Real da = 0.0115;
  parameter Real e = 0.02;
  parameter Real ea = 0.01421;
  parameter Real rr = 0.007;
  parameter Real ra = 0.00092;
  parameter Real ss = 0.035;
  parameter Real sa = 0.01874;
  parameter Real sb = 0.01043;
  parameter Real sc = 0.018;
  parameter Real sd = 0.02;
  parameter Real zt = 0.04;
  parameter Real ta = 0.02308;
  parameter Real tb = 0.00916;
  parameter Real u = 0.04;
  parameter Real ua = 0.01228;
  parameter Real ub = 0.00449;
  parameter Real zf = 0.02;
  parameter Real fa = 0.01421;
  parameter Real c0 = 4530 "Spring";
  parameter Real l0 = 0.07785;
  parameter Real drive = 0.033 "Torque of the motor";
  Real beta(start = -0.06171389001427645, fixed = true, stateSelect = StateSelect.always);
  Real betap(start = 0, fixed = true, stateSelect = StateSelect.always);
  Real q[6](start = {0, 0.4552798191630704, 0.2226683901658859, 0.4873649795438426, -0.2226683901658859, 1.230547444549821})
    "Theta, gamma, phi, delta, omega, epsilon";
  Real qp[6](each start = 0);
  Real a[7](start = {14222.44391995411, -10666.83293996559, 0, 0, 0, 0, 0}) "Angular accelerations";
  Real lambda[6](start = {98.56687039624109, -6.122688344255663, 0, 0, 0, 0}) "Forces in the joints of the loops";
  Real G[6, 7] "Gradients of the constraints";
  Real F[7] "Torques";
  Real xd = sd * cos(q[2]) + sc * sin(q[2]) + xb;
  Real yd = sd * sin(q[2]) - sc * cos(q[2]) + yb;
  Real length = sqrt((xd - xc)^2 + (yd - yc)^2);
  Real spring = -c0 * (length - l0) / length;
protected
  parameter Real b4 = e - ea;
  parameter Real b6 = zf - fa;
  Real sbt = sin(beta + q[1]);
  Real cbt = cos(beta + q[1]);
  Real spd = sin(q[3] + q[4]);
  Real cpd = cos(q[3] + q[4]);
  Real soe = sin(q[5] + q[6]);
  Real coe = cos(q[5] + q[6]);
  Real xLoop = rr * cos(beta) - d * cbt "The point that all three loops share";
  Real yLoop = rr * sin(beta) - d * sbt;
equation
  der(beta) = betap;
  der(q) = qp;
  der(betap) = a[1];
  der(qp) = a[2:7];

  F[1] = drive - m[2] * da * rr * qp[1] * (qp[1] + 2 * betap) * sin(q[1]);
  F[2] = m[2] * da * rr * betap^2 * sin(q[1]);
  F[3] = spring * ((xd - xc) * (sc * cos(q[2]) - sd * sin(q[2])) + (yd - yc) * (sd * cos(q[2]) + sc * sin(q[2])));
  F[4] = m[4] * zt * b4 * qp[4]^2 * cos(q[3]);
  F[5] = -m[4] * zt * b4 * qp[3] * (qp[3] + 2 * qp[4]) * cos(q[3]);
  F[6] = -m[6] * u * b6 * qp[6]^2 * cos(q[5]);
  F[7] = m[6] * u * b6 * qp[5] * (qp[5] + 2 * qp[6]) * cos(q[5]);

  F[1] - G[:, 1] * lambda = (m[1] * ra^2 + m[2] * (rr^2 - 2 * da * rr * cos(q[1]) + da^2) + J[1] + J[2]) * a[1]
                            + (m[2] * (da^2 - da * rr * cos(q[1])) + J[2]) * a[2];
  F[2] - G[:, 2] * lambda = (m[2] * (da^2 - da * rr * cos(q[1])) + J[2]) * a[1] + (m[2] * da^2 + J[2]) * a[2];
  F[3] - G[:, 3] * lambda = (m[3] * (sa^2 + sb^2) + J[3]) * a[3];
  F[4] - G[:, 4] * lambda = (m[4] * b4^2 + J[4]) * a[4] + (m[4] * (b4^2 + zt * b4 * sin(q[3])) + J[4]) * a[5];
  F[5] - G[:, 5] * lambda = (m[4] * (b4^2 + zt * b4 * sin(q[3])) + J[4]) * a[4]
    + (m[4] * (zt^2 + 2 * zt * b4 * sin(q[3]) + b4^2) + m[5] * (ta^2 + tb^2) + J[4] + J[5]) * a[5];
  F[6] - G[:, 6] * lambda = (m[6] * b6^2 + J[6]) * a[6] + (m[6] * (b6^2 - u * b6 * sin(q[5])) + J[6]) * a[7];
  F[7] - G[:, 7] * lambda = (m[6] * (b6^2 - u * b6 * sin(q[5])) + J[6]) * a[6]
    + (m[6] * (b6^2 - 2 * u * b6 * sin(q[5]) + u^2) + m[7] * (ua^2 + ub^2) + J[6] + J[7]) * a[7];

  for i in {1, 3, 5} loop
    G[i, 1:2] = {-rr * sin(beta) + d * sbt, d * sbt};
    G[i + 1, 1:2] = {rr * cos(beta) - d * cbt, -d * cbt};
  end for;
  G[1:2, 3:7] = [-ss * cos(q[2]), 0, 0, 0, 0; -ss * sin(q[2]), 0, 0, 0, 0];
  G[3:4, 3:7] = [0, -e * cpd, -e * cpd + zt * sin(q[4]), 0, 0; 0, -e * spd, -e * spd - zt * cos(q[4]), 0, 0];
  G[5:6, 3:7] = [0, 0, 0, zf * soe, zf * soe - u * cos(q[6]); 0, 0, 0, -zf * coe, -zf * coe - u * sin(q[6])];

  xLoop - ss * sin(q[2]) = xb;
  yLoop + ss * cos(q[2]) = yb;
  xLoop - e * spd - zt * cos(q[4]) = xa;
  yLoop + e * cpd - zt * sin(q[4]) = ya;
  xLoop - zf * coe - u * sin(q[6]) = xa;
  yLoop - zf * soe + u * cos(q[6]) = ya;
  annotation(experiment(StopTime = 0.03));
end Andrews;
