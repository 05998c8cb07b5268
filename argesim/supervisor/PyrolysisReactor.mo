model PyrolysisReactor "a reactor whose controllers follow references, and what it produces"
  parameter Real theta[6] = {-6.949002799559917, -1.736190245021578e-4, 12.9, 3.65e-3, 1.8044089550961956e-2,
    -1.0927864311386844e-5} "of the static model";
  parameter Real r1 = 1400 "oil flow, m3/h, that the supervisor wants";
  parameter Real r2 = 450 "water flow, m3/h";
  parameter Real r3 = 4 "pressure, bar";
  parameter Real r4 = 800 "temperature, degC";
  parameter Real t_decision(unit = "h") = 1 "until then the references are nominal";
  parameter Real T(unit = "h") = 0.1 "of the controllers";
  Real y1(start = 1400, fixed = true) "oil flow";
  Real y2(start = 450, fixed = true) "water flow";
  Real y3(start = 4, fixed = true) "pressure";
  Real y4(start = 800, fixed = true) "temperature";
  Real z "concentration of ethylene";
  Real I "ethylene, m3/h";
protected
  Boolean decided = time >= t_decision;
equation
  T*der(y1) = (if decided then r1 else 1400) - y1;
  T*der(y2) = (if decided then r2 else 450) - y2;
  T*der(y3) = (if decided then r3 else 4) - y3;
  T*der(y4) = (if decided then r4 else 800) - y4;
  z = theta[1] + theta[2]*y1 + theta[3]/y2 + theta[4]*y3 + theta[5]*y4 + theta[6]*y4^2;
  I = y1*z;
  annotation(experiment(StopTime = 5));
end PyrolysisReactor;
