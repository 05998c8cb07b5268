model Transistor "Amplifier with two transistors, index 1"
  constant Real pi = 3.141592653589793;
  parameter Real Ub = 6;
  parameter Real alpha = 0.99;
  parameter Real R0 = 1000;
  parameter Real R = 9000;

  function gate "Current at the emitter"
    input Real u;
    output Real i;
  algorithm
    i := 1e-6 * (exp(u / 0.026) - 1);
  end gate;

  Real U[8](start = {0, 3, 3, 6, 3, 3, 6, 0}) "Potentials of the nodes";
  Real V1(start = 3, fixed = true) "Voltage of capacitor 1, between nodes 1 and 2";
  Real V2(start = 3, fixed = true) "of capacitor 2, at node 3";
  Real V3(start = -3, fixed = true) "of capacitor 3, between nodes 4 and 5";
  Real V4(start = 3, fixed = true) "of capacitor 4, at node 6";
  Real V5(start = -6, fixed = true) "of capacitor 5, between nodes 7 and 8";
  Real i1 = 1e-6 * der(V1);
  Real i3 = 3e-6 * der(V3);
  Real i5 = 5e-6 * der(V5);
  Real g1 = gate(U[2] - U[3]);
  Real g2 = gate(U[5] - U[6]);
equation
  V1 = U[2] - U[1];
  V2 = U[3];
  V3 = U[5] - U[4];
  V4 = U[6];
  V5 = U[8] - U[7];
  i1 = (U[1] - 0.1 * sin(200 * pi * time)) / R0;
  -i1 = U[2] / R + (U[2] - Ub) / R + (1 - alpha) * g1;
  -2e-6 * der(V2) = U[3] / R - g1;
  i3 = (U[4] - Ub) / R + alpha * g1;
  -i3 = U[5] / R + (U[5] - Ub) / R + (1 - alpha) * g2;
  -4e-6 * der(V4) = U[6] / R - g2;
  i5 = (U[7] - Ub) / R + alpha * g2;
  -i5 = U[8] / R;
  annotation(experiment(StopTime = 0.2));
end Transistor;
