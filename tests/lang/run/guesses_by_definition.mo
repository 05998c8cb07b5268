// m is defined by d, and d by p; that b = m*r would give m from b, which is zero for equal pressures, is no guess:
// v could not be computed. (A loop too large to be torn.)
model guesses_by_definition
  parameter Integer n = 19;
  Real p[n](each start = 1), r[n](each start = 0.5);
  Real b[n], m[n], d[n], v[n], e[n], f[n];
  Real x(start = 0, fixed = true);
//? value p[10] 0.9 1e-9
//? value p[1] 0.981 1e-9
equation
  for i in 1:n loop
    b[i] = (if i == 1 then 1 else p[i - 1]) - 2*p[i] + (if i == n then 1 else p[i + 1]);
    b[i] = m[i]*r[i];
    m[i] = 2*d[i];
    e[i] = p[i]*p[i];
    f[i] = e[i]*p[i];
    d[i] = f[i]/p[i];
    v[i] = 0.001/sqrt(d[i]);
    r[i] = v[i]/sqrt(d[i]);
  end for;
  der(x) = p[1];
  annotation(experiment(StopTime = 1));
end guesses_by_definition;
