// Rotation by a quaternion that turns through all its elements: about the axis z with 3 rad/s.
//? rtol 1e-8
//? value Q[3] 0.6502878401571168 1e-6
//? value Q[4] -0.7596879128588213 1e-6
//? value Q[1] 0 1e-12
model TumblingBody
  Real Q[4](start={0, 0, 0, 1}), w[3];
equation
  w = {0, 0, 3};
  w = 2*{{Q[4], Q[3], -Q[2], -Q[1]}, {-Q[3], Q[4], Q[1], -Q[2]}, {Q[2], -Q[1], Q[4], -Q[3]}}*der(Q);
  Q*Q = 1;
  annotation (experiment(StopTime=10));
end TumblingBody;
