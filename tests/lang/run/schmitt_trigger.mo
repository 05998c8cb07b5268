// An amplifier with positive feedback and limits without events: where the solution that was followed ends, the other
// one is found. It switches at +1 and -1.
//? at 0.1 out 15 1e-6
//? at 0.6 out -15 1e-6
//? at 0.4 out 15 1e-6
//? at 0.9 out -15 1e-6
model SchmittTrigger
  Real u = 2*sin(2*3.14159265358979*time), out(start=-15), plus, minus;
equation
  minus = -u;
  plus = out/15;
  out = noEvent(if 15000*(plus - minus) > 15 then 15 elseif 15000*(plus - minus) < -15 then -15 else 15000*(plus - minus));
  annotation (experiment(StopTime=1, Interval=0.01));
end SchmittTrigger;
