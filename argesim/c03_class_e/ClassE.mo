model ClassE "ARGESIM C3: generalised class-E amplifier"
  parameter Real VDC(unit="V") = 5 "supply";
  parameter Real L1(unit="H") = 79.9e-6 "choke";
  parameter Real C2(unit="F") = 17.9e-9 "capacitor beside the device";
  parameter Real L3(unit="H") = 232e-6 "inductor of the resonator";
  parameter Real C4(unit="F") = 9.66e-9 "capacitor of the resonator";
  parameter Real RL(unit="Ohm") = 52.4 "load";
  parameter Real Ron(unit="Ohm") = 0.05 "device on";
  parameter Real Roff(unit="Ohm") = 5e6 "device off";
  parameter Real T(unit="s") = 10e-6 "period of the device";
  parameter Real TRF(unit="s") = 1e-15 "rise and fall time of the device";
  Real x1(unit="A", start=0, fixed=true) "current in L1";
  Real x2(unit="V", start=0, fixed=true) "voltage on C2";
  Real x3(unit="A", start=0, fixed=true) "current in L3";
  Real x4(unit="V", start=0, fixed=true) "voltage on C4";
  Integer k "number of the period, from 0";
  Real R(unit="Ohm") "resistance of the device: off in the first half of a period, on in the second";
  Real IR(unit="A") = x2/R "current through the device";
  Real VL(unit="V") = RL*x3 "voltage on the load";
  Real VL3(unit="V") = x2 - VL - x4 "voltage on L3";
initial equation
  pre(k) = integer(time/T);
equation
  L1*der(x1) = VDC - x2;
  C2*der(x2) = x1 - IR - x3;
  L3*der(x3) = VL3;
  C4*der(x4) = x3;
  when time >= (pre(k) + 1)*T then
    k = pre(k) + 1;
  end when;
  R = if time < k*T + TRF then
        Ron + (Roff - Ron)*(time - k*T)/TRF
      elseif time < k*T + T/2 then
        Roff
      elseif time < k*T + T/2 + TRF then
        Ron + (Roff - Ron)*(k*T + T/2 + TRF - time)/TRF
      else
        Ron;
  annotation(experiment(StopTime=100e-6, Tolerance=1e-8));
end ClassE;
