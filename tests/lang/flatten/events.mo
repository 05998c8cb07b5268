// When, pre, reinit, sample, if-equations by parameter and by state, asserts.
model Events
  parameter Boolean linear = true;
  parameter Real e = 0.8;
  Real h(start = 1, fixed = true), v(fixed = true), f;
  discrete Real last(start = 0);
  Integer bounces(start = 0, fixed = true);
  Boolean low = h < 0.1;
  Boolean tick(start = false);
equation
  der(h) = v;
  if linear then
    der(v) = -9.81;
  else
    der(v) = -9.81 - v*abs(v);
    f = 1;
  end if;
  if h > 0.5 then
    f = h;
  else
    0.5 = f;
  end if;
  when h <= 0 and v < 0 then
    reinit(v, -e*pre(v));
    bounces = pre(bounces) + 1;
    last = time;
  elsewhen terminal() then
    bounces = -1;
    last = pre(last);
  end when;
  when {sample(0, 0.1), edge(low)} then
    tick = not pre(tick);
  end when;
  assert(h > -1, "fell through the floor at " + String(time), AssertionLevel.warning);
end Events;
