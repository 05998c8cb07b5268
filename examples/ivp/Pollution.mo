model Pollution "Chemistry of polluted air: 25 reactions among 20 species"
  parameter Real k[25] = {0.35, 26.6, 12300, 8.6e-4, 8.2e-4, 15000, 1.3e-4, 24000, 16500, 9000, 0.022, 12000, 1.88,
                          16300, 4.8e6, 3.5e-4, 0.0175, 1e8, 4.44e11, 1240, 2.1, 5.78, 0.0474, 1780, 3.12} "Rates";
  Real NO2(start = 0, fixed = true);
  Real NO(start = 0.2, fixed = true);
  Real O3P(start = 0, fixed = true);
  Real O3(start = 0.04, fixed = true);
  Real HO2(start = 0, fixed = true);
  Real OH(start = 0, fixed = true);
  Real HCHO(start = 0.1, fixed = true);
  Real CO(start = 0.3, fixed = true);
  Real ALD(start = 0.01, fixed = true);
  Real MEO2(start = 0, fixed = true);
  Real C2O3(start = 0, fixed = true);
  Real CO2(start = 0, fixed = true);
  Real PAN(start = 0, fixed = true);
  Real CH3O(start = 0, fixed = true);
  Real HNO3(start = 0, fixed = true);
  Real O1D(start = 0, fixed = true);
  Real SO2(start = 0.007, fixed = true);
  Real SO4(start = 0, fixed = true);
  Real NO3(start = 0, fixed = true);
  Real N2O5(start = 0, fixed = true);
  Real r[25] "How fast each reaction goes";
equation
  r = k .* {NO2, NO * O3, HO2 * NO, HCHO, HCHO, HCHO * OH, ALD, ALD * OH, C2O3 * NO, C2O3 * NO2, PAN, MEO2 * NO, CH3O,
            NO2 * OH, O3P, O3, O3, O1D, O1D, SO2 * OH, NO3, NO3, NO2 * O3, NO3 * NO2, N2O5};
  der(NO2) = r[2] + r[3] + r[9] + r[11] + r[12] + r[22] + r[25] - r[1] - r[10] - r[14] - r[23] - r[24];
  der(NO) = r[1] + r[21] - r[2] - r[3] - r[9] - r[12];
  der(O3P) = r[1] + r[17] + r[19] + r[22] - r[15];
  der(O3) = r[15] - r[2] - r[16] - r[17] - r[23];
  der(HO2) = 2 * r[4] + r[6] + r[7] + r[13] + r[20] - r[3];
  der(OH) = r[3] + 2 * r[18] - r[6] - r[8] - r[14] - r[20];
  der(HCHO) = r[13] - r[4] - r[5] - r[6];
  der(CO) = r[4] + r[5] + r[6] + r[7];
  der(ALD) = -r[7] - r[8];
  der(MEO2) = r[7] + r[9] - r[12];
  der(C2O3) = r[8] + r[11] - r[9] - r[10];
  der(CO2) = r[9];
  der(PAN) = r[10] - r[11];
  der(CH3O) = r[12] - r[13];
  der(HNO3) = r[14];
  der(O1D) = r[16] - r[18] - r[19];
  der(SO2) = -r[20];
  der(SO4) = r[20];
  der(NO3) = r[23] + r[25] - r[21] - r[22] - r[24];
  der(N2O5) = r[24] - r[25];
  annotation(experiment(StopTime = 60));
end Pollution;
