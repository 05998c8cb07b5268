model Clearance "ARGESIM C15: clearance of a substance, two compartments"
  parameter Real k01(unit="1/min") = 0.0041 "out of the first compartment";
  parameter Real k12(unit="1/min") = 0.0585 "from the second to the first";
  parameter Real k21(unit="1/min") = 0.0498 "from the first to the second";
  parameter Real V1(unit="l") = 7.3 "volume of the first compartment";
  parameter Real D = 2500 "dose";
  parameter Real tau(unit="min") = 0.5 "duration of the injection";
  Real x1(start=0, fixed=true) "amount in the first compartment";
  Real x2(start=0, fixed=true) "amount in the second compartment";
  Real area(start=0, fixed=true) "under c1";
  Real c1(unit="1/l") = x1/V1 "concentration that is measured";
equation
  der(x1) = -(k01 + k21)*x1 + k12*x2 + (if time < tau then D/tau else 0);
  der(x2) = k21*x1 - k12*x2;
  der(area) = c1;
  annotation(experiment(StopTime=240, Tolerance=1e-8));
end Clearance;
