// Conditions that go up and down while the states move straight on: no step of the solver shows it.
//? value n 16 0
//? value strokes 16 0
//? value on 3.3510321638291125 1e-6
model Shaft
  parameter Real w = 10, r = 1, l = 3;
  Real phi(start = 0.3, fixed = true), on(start = 0, fixed = true);
  Real y = r * cos(phi) + sqrt(l ^ 2 - r ^ 2 * sin(phi) ^ 2) - l;
  Boolean pulse = sin(phi) > 0.5;
  Integer n(start = 0, fixed = true), strokes(start = 0, fixed = true);
equation
  der(phi) = w;
  der(on) = if pulse then 1 else 0;
  when pulse then
    n = pre(n) + 1;
  end when;
  when y > 0.5 then
    strokes = pre(strokes) + 1;
  end when;
  annotation(experiment(StopTime = 10));
end Shaft;
