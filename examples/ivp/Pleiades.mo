model Pleiades "Seven stars in a plane, with close encounters"
  constant Integer n = 7;
  parameter Real m[n] = {i for i in 1:n} "Masses";
  Real x[n](start = {3, 3, -1, -3, 2, -2, 2}, each fixed = true);
  Real y[n](start = {3, -3, 2, 0, 0, -4, 4}, each fixed = true);
  Real u[n](start = {0, 0, 0, 0, 0, 1.75, -1.5}, each fixed = true);
  Real v[n](start = {0, 0, 0, -1.25, 1, 0, 0}, each fixed = true);
  Real d3[n, n] "Cubes of the distances";
equation
  for i in 1:n loop
    for j in 1:n loop
      d3[i, j] = if i == j then 1 else ((x[i] - x[j])^2 + (y[i] - y[j])^2)^1.5;
    end for;
    der(x[i]) = u[i];
    der(y[i]) = v[i];
    der(u[i]) = sum(m[j] * (x[j] - x[i]) / d3[i, j] for j in 1:n);
    der(v[i]) = sum(m[j] * (y[j] - y[i]) / d3[i, j] for j in 1:n);
  end for;
  annotation(experiment(StopTime = 3));
end Pleiades;
