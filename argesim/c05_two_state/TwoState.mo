model TwoState "ARGESIM C5: a stiff system that switches between two states"
  parameter Real c1 = 2.7e6, c3 = 3.5651205;
  parameter Real c2_1 = 0.4, c4_1 = 5.5 "state 1";
  parameter Real c2_2 = -0.3, c4_2 = 2.73 "state 2";
  parameter Real upper = 5.8 "y1 rises to it: state 2";
  parameter Real lower = 2.5 "y1 falls to it: state 1";
  Real y1(start=4.2, fixed=true), y2(start=0.3, fixed=true);
  Boolean first(start=true, fixed=true) "in state 1";
  Real c2 = if first then c2_1 else c2_2;
  Real c4 = if first then c4_1 else c4_2;
equation
  der(y1) = c1*(y2 + c2 - y1);
  der(y2) = c3*(c4 - y2);
  when y1 >= upper then
    first = false;
  elsewhen y1 <= lower then
    first = true;
  end when;
  annotation(experiment(StopTime=5, Tolerance=1e-10));
end TwoState;
