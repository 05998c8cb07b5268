// What the text differentiates is continuous at events: a preferred variable that jumps does not
// take its place, nor does one from which a variable follows that reinit() sets.
//? value x 1.2 1e-6
//? value u 6.2 1e-6
//? value w 2.4 1e-6
//? value h 0.012228 2e-5
//? value E 0.15625 1e-5
//? value q 3.4 1e-6
model M
  Real x(start = 0, fixed = true), u(stateSelect = StateSelect.prefer), w(stateSelect = StateSelect.prefer);
  discrete Real k(start = 1, fixed = true);
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), E(stateSelect = StateSelect.prefer);
  Real y(start = 0, fixed = true), q(stateSelect = StateSelect.always);
equation
  der(x) = 1;
  u = x + (if time > 1 then 5 else 0);
  w = k * x;
  when sample(0.7, 10) then
    k = 2;
  end when;
  der(h) = v;
  der(v) = -10;
  E = v ^ 2 / 2 + 10 * h;
  when h <= 0 and v < 0 then
    reinit(v, -0.5 * pre(v));
  end when;
  der(y) = 1;
  q = 2 * y + 3;
  when time > 1 then
    reinit(y, 0);
  end when;
  annotation(experiment(StopTime = 1.2));
end M;
