// Relations and floor() that begin on their switching point: two ideal diodes with a voltage that is zero for a while.
//? at 0.5 low 0 0
//? at 0.5 up.i 0 1e-12
//? at 1.25 up.i 1 2e-5
//? at 1.25 down.i 0 2e-7
//? at 1.75 up.i 0 2e-7
//? at 1.75 down.i 1 2e-5
//? value low -2 0
model StandsOnSwitch
  model Diode
    Real v, i, s;
    Boolean off;
  equation
    off = s < 0;
    v = if off then s else 1e-5*s;
    i = if off then 1e-7*s else s;
  end Diode;
  Diode up, down;
  Real source = if time <= 1 then 0 else sin(2*3.141592653589793*(time - 1));
  Real x(start=0, fixed=true), y(start=0, fixed=true);
  Integer low = integer(1 - 3*time/2);
equation
  up.v + up.i = source - x;
  down.v + down.i = -source + x;
  der(x) = y;
  der(y) = -x;
  annotation (experiment(StopTime=2, Interval=0.05));
end StandsOnSwitch;
