// Derivatives of variables that algorithms assign: of what the statements compute.
//? value v 6 1e-6
//? value a 2 1e-6
//? value w 4 1e-6
//? value level 9 1e-6
//? value force 7 1e-6
//? value u -0.5 1e-6
//? value doubled 6 1e-6
//? value slope 2 1e-6
model DerivativeOfAssigned
  Real x(start = 1, fixed = true);
  Real y, v, a;
  Real z, w;
  // a constraint that an algorithm computes: force = der(level) + 1
  Real level, force, position(start = 1, fixed = true);
  Real clipped, u;
  // a loop that is compiled as a function, and jumps
  Real doubled, slope;
equation
  der(x) = 1;
  v = der(y);
  a = der(v);
  w = der(z);
  position = level;
  der(position) = force - 1;
  u = der(clipped);
  slope = der(doubled);
algorithm
  y := x;
  y := y*x;
  z := 0;
  for i in 1:2 loop
    if x > 2 then
      z := z + 2*x;
    end if;
  end for;
algorithm
  level := x;
  level := level^2;
algorithm
  clipped := x;
  if clipped > 2 then
    clipped := 3 - x/2;
  end if;
algorithm
  doubled := 0.5*x;
  while doubled < 5 loop
    doubled := 2*doubled + x;
  end while;
  annotation(experiment(StopTime = 2));
end DerivativeOfAssigned;
