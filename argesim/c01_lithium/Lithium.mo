model Lithium "ARGESIM C1: lithium-cluster dynamics under electron bombardment"
  parameter Real kr = 1 "growth of M-centres to R-centres";
  parameter Real kf = 0.1 "growth of F-centres to M-centres";
  parameter Real lf = 1000 "loss of F-centres";
  parameter Real dr = 0.1 "decay of R-centres";
  parameter Real dm = 1 "decay of M-centres";
  parameter Real p = 0 "production of F-centres: bombardment";
  Real f(start=9.975, fixed=true) "concentration of F-centres";
  Real m(start=1.674, fixed=true) "concentration of M-centres";
  Real r(start=84.99, fixed=true) "concentration of R-centres";
equation
  der(f) = dr*r + 2*dm*m - kr*m*f - 2*kf*f^2 - lf*f + p;
  der(m) = dr*r - dm*m + kf*f^2 - kr*m*f;
  der(r) = -dr*r + kr*m*f;
  annotation(experiment(StopTime=10, Tolerance=1e-6));
end Lithium;
