// Coulomb friction with the modes forward, stuck, backward: a mass on a belt that turns back, pulled less than friction holds.
// Relations are seen again before left limits move on: what held while it slid must not start it anew.
//? value mode 0 0
//? value v 0 1e-9
//? at 0.5 v 0.5 1e-6
//? value x 0.5 1e-6
model Friction
  Real x(start=0, fixed=true), v(start=1, fixed=true), a, sa, pull = 0.2*sin(10*time);
  parameter Real most = 1;
  Boolean forward(start=false, fixed=true), backward(start=false, fixed=true), locked;
  Integer mode(start=1, fixed=true);
  Real f;
equation
  forward = pre(mode) == 0 and (sa > most or pre(forward) and sa > most) or initial() and v > 0;
  backward = pre(mode) == 0 and (sa < -most or pre(backward) and sa < -most) or initial() and v < 0;
  locked = not (pre(mode) == 1 or forward or pre(mode) == -1 or backward);
  a = if locked then 0 elseif forward then sa - most elseif backward then sa + most elseif pre(mode) == 1 then sa - most else sa + most;
  f = if locked then sa elseif forward or pre(mode) == 1 then most else -most;
  mode = if (pre(mode) == 1 or forward) and v > 0 then 1 elseif (pre(mode) == -1 or backward) and v < 0 then -1 else 0;
  der(x) = v;
  der(v) = a;
  a = -f + (if time < 1.5 then 0 else pull);
  annotation (experiment(StopTime=3, Interval=0.1));
end Friction;
