// Two capacitors side by side, turned against each other, between two nodes without a ground: u = a - b and w = b - a
// could be matched with the potentials, which they do not determine. Also two inductances with two resistors side by
// side between them, and a sum with unknowns that are in other equations, too.
//? rtol 1e-9
//? value c1 0.30703655021877174 1e-9
//? value c2 -0.30703655021877174 1e-9
//? value loop1 0.06091618422799686 1e-9
//? value l1 0.3934693402873666 1e-9
//? value l2 -0.3934693402873666 1e-9
//? value y -4.540302305868140 1e-9
model FloatingCapacitors
  Real c1(start = 0, fixed = true), c2, i1, i2, a, b, i;
  Real l1(start = 0, fixed = true), l2, e, f, r1, r2, s, loop1;
  Real x(start = 0, fixed = true), y, p, q, z;
equation
  der(c1) = i1;
  der(c2) = i2;
  c1 = a - b;
  c2 = b - a;
  2 - a = 2*i;
  b = i;
  i = i1 - i2;
  // 1 V - (l1) - e - (r1 and r2 side by side) - f - (l2) - 0
  der(l1) = 1 - e;
  der(l2) = -f;
  l1 = r1 + r2;
  l2 = -(r1 + r2);
  s = e - f;
  s = 2*r1;
  s = 2*r2;
  loop1 = s^3;
  der(x) = sin(time);
  der(y) = cos(time) + p;
  2*p + 2*q + z + x = 10;
  p + q + y = 5;
  p + q + z = 0;
  annotation(experiment(StopTime = 1));
end FloatingCapacitors;
