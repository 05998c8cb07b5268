// What cancels does not stand in an equation: x is given, and y is its rate; u too, through an alias.
//? rtol 1e-8
//? value y 0.540302305868140 1e-7
//? value u 0.540302305868140 1e-7
//? value z 2 1e-9
model TermsThatCancel
  Real x, y, w, u, v, z, s(start=0, fixed=true);
equation
  x + y - y = sin(time);
  der(x) = y;
  w + 2*u + 1 = sin(time) + v + v + 1;
  v = u;
  der(w) = u;
  z + s = 2*time + s;
  der(s) = z;
  annotation (experiment(StopTime=1));
end TermsThatCancel;
