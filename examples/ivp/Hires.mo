model Hires "High irradiance response: how light acts on the growth of a plant through phytochrome"
  parameter Real k[9] = {1.71, 0.43, 8.32, 0.69, 0.035, 8.32, 280, 0.69, 0.69} "Rates of the reactions";
  parameter Real inflow = 0.0007;
  Real Pr(start = 1, fixed = true);
  Real Pfr(start = 0, fixed = true);
  Real PrX(start = 0, fixed = true);
  Real PfrX(start = 0, fixed = true);
  Real PrX2(start = 0, fixed = true);
  Real PfrX2(start = 0, fixed = true);
  Real PfrX2E(start = 0, fixed = true);
  Real E(start = 0.0057, fixed = true);
  Real bind = k[7] * PfrX2 * E "PfrX2 and E become PfrX2E";
  Real part = (k[2] + k[8] + k[9]) * PfrX2E "and part again";
equation
  der(Pr) = -k[1] * Pr + k[2] * Pfr + k[6] * PrX + inflow;
  der(Pfr) = k[1] * Pr - (k[2] + k[3]) * Pfr;
  der(PrX) = -(k[6] + k[1]) * PrX + k[2] * PfrX + k[5] * PrX2;
  der(PfrX) = k[3] * Pfr + k[1] * PrX - (k[4] + k[2]) * PfrX;
  der(PrX2) = -(k[5] + k[1]) * PrX2 + k[2] * (PfrX2 + PfrX2E);
  der(PfrX2) = -bind + k[8] * (PfrX + PfrX2E) + k[1] * PrX2 - k[2] * PfrX2;
  der(PfrX2E) = bind - part;
  der(E) = part - bind;
  annotation(experiment(StopTime = 321.8122));
end Hires;
