// A residual that jumps in its last digits (here by 3e-7, as the sum of much larger numbers does): no step is small in
// the end, and none helps.
model rounded_loop
  function jumps
    input Real u;
    output Real y;
  protected
    Real k;
  algorithm
    k := floor(mod(u, 1)*1e13);
    y := 3e-7*mod(k*7919, 1013)/1013;
  end jumps;
  Real y(start = 1), z(start = 1);
  Real x(start = 0, fixed = true);
//? value y 0.5 1e-5
//? value z 0.25 1e-5
equation
  y*z + jumps(y + 3*z) = 0.125;
  z - y^2 + jumps(3*y - z) = 0;
  der(x) = y;
  annotation(experiment(StopTime = 1));
end rounded_loop;
