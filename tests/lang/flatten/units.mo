// Units that do not fit give warnings; what is not known fits everything.
model Units
  type Mass = Real(unit = "kg");
  type Force = Real(unit = "N");
  type Position = Real(unit = "m");
  parameter Mass m = 2;
  parameter Position l = 1;
  parameter Force wrong = m;
  Position x(start = 1, fixed = true);
  Real v(unit = "m/s", start = 0, fixed = true);
  Force f;
  Force g;
  Real energy(unit = "J");
  Real temperature(unit = "degC") = 20;
  Real kelvin(unit = "K");
  Real plain;
equation
  der(x) = v;
  m * der(v) = f;
  f = -9.81 * m;
  g = 2 * x;
  energy = 0.5 * m * v ^ 2 + f * x;
  plain = x;
  kelvin = temperature;
  assert(x < v, "compared");
end Units;
