// A ball that bounces a micrometre high beside a pressure that has nothing to do with it: what
// rounding does to the large state does not hide the small one.
//? value n 1118 0
model Ball
  parameter Real h0 = 1e-6;
  Real h(start = h0, fixed = true, nominal = h0), v(start = 0, fixed = true, nominal = 1e-3);
  Real p(start = 1e8, fixed = true, nominal = 1e8);
  Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -10;
  der(p) = -0.1 * p;
  when h <= 0 and v < 0 then
    reinit(v, -pre(v));
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end Ball;
