// Inputs of sizes that depend on other inputs, beside a slice whose end changes during the run.
//? at 0.25 d 0 1e-12
//? at 0.75 d 1.5 1e-9
//? value d 5 1e-9
//? value e 5 1e-9
function first_products
  input Integer n;
  input Real a[n];
  input Real b[n];
  input Integer m;
  output Real d;
algorithm
  d := a[1:m]*b[1:m];
end first_products;
model SlicesByInputs
  constant Integer n = 3;
  Integer k = if time < 2 then 3 else 2;
  Real d = first_products(n, {1, 2, 3}*time, {2, 1.5, 1}, integer(2*time));
  Real e = first_products(k, {1, 2, 3}*time, {2, 1.5, 1}, integer(2*time));
  annotation(experiment(StopTime = 1, Interval = 0.25));
end SlicesByInputs;
