partial model DiodeCircuit "ARGESIM C21, 3: R1 and L in series with R2 and C, a diode beside these"
  constant Real pi = 2*asin(1);
  parameter Real R1(unit="Ohm") = 1000;
  parameter Real R2(unit="Ohm") = 20;
  parameter Real L(unit="H") = 25.3e-6;
  parameter Real C(unit="F") = 100e-9;
  parameter Real f(unit="Hz") = 0.15e6 "frequency of the source";
  parameter Real I_S(unit="A") = 1e-8 "saturation current";
  parameter Real U_T(unit="V") = 26e-3 "thermal voltage";
  Real u0(unit="V") = -sin(2*pi*f*time) "source";
  Real u_C(unit="V", start=0, fixed=true, nominal=0.01) "voltage on C";
  Real i(unit="A", start=0, fixed=true, nominal=1e-3) "current through R1 and L";
  Real i_D(unit="A", nominal=1e-8) "current through the diode, into the branch of R2 and C";
  Real u_D(unit="V", nominal=0.01) "voltage on the diode";
equation
  C*der(u_C) = i + i_D;
  L*der(i) = u0 - R1*i - R2*(i + i_D) - u_C;
  annotation(experiment(StopTime=1e-4, Tolerance=1e-10));
end DiodeCircuit;

model IdealDiode "a switch, which conducts when u_D would be positive"
  extends DiodeCircuit;
  Boolean conducts = R2*i + u_C <= 0;
equation
  u_D = -(R2*(i + i_D) + u_C);
  0 = if conducts then u_D else i_D;
  annotation(experiment(StopTime=1e-4, Tolerance=1e-10));
end IdealDiode;

model ShockleyVoltage "Shockley's equation with u_D as algebraic variable"
  extends DiodeCircuit;
  Boolean conducts = u_D >= 0;
equation
  u_D = -(R2*(i + i_D) + u_C);
  i_D = if conducts then I_S*(exp(u_D/U_T) - 1) else 0;
  annotation(experiment(StopTime=1e-4, Tolerance=1e-10));
end ShockleyVoltage;

model ShockleyCurrent "Shockley's equation, solved for u_D, with i_D as algebraic variable"
  extends DiodeCircuit;
  Boolean conducts = R2*i + u_C <= 0;
equation
  u_D = -(R2*(i + i_D) + u_C);
  0 = if conducts then u_D - U_T*log(1 + i_D/I_S) else i_D;
  annotation(experiment(StopTime=1e-4, Tolerance=1e-10));
end ShockleyCurrent;

model CharacteristicCurve "straight lines through N points of Shockley's equation"
  extends DiodeCircuit;
  parameter Integer N(min=2) = 5 "points from 0 to u_max";
  parameter Real u_max(unit="V") = 0.0384 "the current is constant from here on";
  parameter Real u[N](each unit="V") = {u_max*(k - 1)/(N - 1) for k in 1:N};
  parameter Real slope[N](each unit="S") =
    cat(1, {I_S*(exp(u[k + 1]/U_T) - exp(u[k]/U_T))/(u[k + 1] - u[k]) for k in 1:N - 1}, {0});
  Boolean beyond[N] = {u_D >= u[k] for k in 1:N} "u_D has passed point k";
equation
  u_D = -(R2*(i + i_D) + u_C);
  i_D = sum((slope[k] - (if k > 1 then slope[k - 1] else 0))*(if beyond[k] then u_D - u[k] else 0) for k in 1:N);
  annotation(experiment(StopTime=1e-4, Tolerance=1e-10));
end CharacteristicCurve;

model Curve3 = CharacteristicCurve(N=3);
model Curve5 = CharacteristicCurve(N=5);
model Curve10 = CharacteristicCurve(N=10);

model IndexReduced "u_D as a state: nothing is left to be solved for, no event to be found"
  extends DiodeCircuit(u_D(start=0, fixed=true));
  Real conductance(unit="S") = noEvent(if u_D >= 0 then I_S/U_T*exp(u_D/U_T) else 0);
equation
  i_D = noEvent(if u_D >= 0 then I_S*(exp(u_D/U_T) - 1) else 0);
  der(u_D) = -(R2*der(i) + der(u_C))/(1 + R2*conductance);
  annotation(experiment(StopTime=1e-4, Tolerance=1e-10));
end IndexReduced;
