// `time > 1` is false at the stop time 1, `time >= 1` is true: of several thresholds, also those that rounding has moved.
//? value n 0 0
//? value m 1 0
//? value inside 1 0
//? value early 1 0
//? value late 0 0
//? value product 0 0
//? value x 1 1e-9
model TimeAtStop
  parameter Real T = 1;
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true), inside(start = 0, fixed = true);
  Integer late(start = 0, fixed = true);
  Boolean early, product;
  Real x(start = 0, fixed = true);
equation
  der(x) = if time > T then 1000 else 1;
  when time > T then
    n = pre(n) + 1;
  end when;
  when time >= T then
    m = pre(m) + 1;
  end when;
  when time > T/2 then
    inside = pre(inside) + 1;
  end when;
  when not early then
    late = pre(late) + 1;
  end when;
  early = time <= T;
  product = time >= T and time > T;
  annotation(experiment(StopTime = 1));
end TimeAtStop;
