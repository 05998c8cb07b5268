// The declared size is checked when the function runs.
//? fails vectors of 2 and 3 elements do not fit
function first_products
  input Integer n;
  input Real a[n];
  input Integer m;
  output Real d;
algorithm
  d := sum(a[1:m]);
end first_products;
model SliceOfWrongSize
  Integer k = if time < 0.5 then 3 else 2;
  Real d = first_products(k, {1, 2, 3}*time, integer(1 + time));
  annotation(experiment(StopTime = 1));
end SliceOfWrongSize;
