model RingModulator "Two signals are mixed by a ring of four diodes"
  constant Real pi = 3.141592653589793;
  parameter Real C = 1.6e-8;
  parameter Real Cs = 2e-12 "Small: it makes the circuit stiff";
  parameter Real Cp = 1e-8;
  parameter Real R = 25e3;
  parameter Real Rp = 50;
  parameter Real Lh = 4.45;
  parameter Real Ls1 = 2e-3;
  parameter Real Ls2 = 5e-4;
  parameter Real Ls3 = 5e-4;
  parameter Real Rg1 = 36.3;
  parameter Real Rg2 = 17.3;
  parameter Real Rg3 = 17.3;
  parameter Real Ri = 50;
  parameter Real Rc = 600;

  function diode "Current through a diode"
    input Real u;
    output Real i;
  algorithm
    i := 40.67286402e-9 * (exp(17.7493332 * u) - 1);
  end diode;

  Real U[7](each start = 0, each fixed = true) "Voltages";
  Real I[8](each start = 0, each fixed = true) "Currents";
  Real signal = 0.5 * sin(2000 * pi * time);
  Real carrier = 2 * sin(20000 * pi * time);
  Real d[4] "Currents of the diodes";
equation
  d[1] = diode(U[3] - U[5] - U[7] - carrier);
  d[2] = diode(-U[4] + U[6] - U[7] - carrier);
  d[3] = diode(U[4] + U[5] + U[7] + carrier);
  d[4] = diode(-U[3] - U[6] + U[7] + carrier);
  C * der(U[1]) = I[1] - 0.5 * I[3] + 0.5 * I[4] + I[7] - U[1] / R;
  C * der(U[2]) = I[2] - 0.5 * I[5] + 0.5 * I[6] + I[8] - U[2] / R;
  Cs * der(U[3]) = I[3] - d[1] + d[4];
  Cs * der(U[4]) = -I[4] + d[2] - d[3];
  Cs * der(U[5]) = I[5] + d[1] - d[3];
  Cs * der(U[6]) = -I[6] - d[2] + d[4];
  Cp * der(U[7]) = -U[7] / Rp + d[1] + d[2] - d[3] - d[4];
  Lh * der(I[1]) = -U[1];
  Lh * der(I[2]) = -U[2];
  Ls2 * der(I[3]) = 0.5 * U[1] - U[3] - Rg2 * I[3];
  Ls3 * der(I[4]) = -0.5 * U[1] + U[4] - Rg3 * I[4];
  Ls2 * der(I[5]) = 0.5 * U[2] - U[5] - Rg2 * I[5];
  Ls3 * der(I[6]) = -0.5 * U[2] + U[6] - Rg3 * I[6];
  Ls1 * der(I[7]) = -U[1] + signal - (Ri + Rg1) * I[7];
  Ls1 * der(I[8]) = -U[2] - (Rc + Rg1) * I[8];
  annotation(experiment(StopTime = 1e-3));
end RingModulator;
