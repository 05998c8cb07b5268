// delay() of a smooth signal, of a jump, and in a loop: x' = -x(t - 1) with x = 1 before has polynomials as its solution.
//? rtol 1e-8
//? at 0.2 smooth 0 1e-7
//? value smooth 0.7780731968879212 1e-6
//? at 1.25 step 0 0
//? at 1.35 step 1 1e-12
//? value step 1 1e-12
//? at 1 x 0 1e-7
//? at 2 x -0.5 1e-6
//? value x -0.1666666666666667 2e-6
//? value ticks 1 0
model Delay
  Real smooth = delay(sin(time), 0.75 + 0*time);
  Real step = delay(if time >= 1 then 1 else 0, 0.3);
  Real x(start=1, fixed=true);
  Integer ticks(start=0, fixed=true);
equation
  der(x) = if time < 1 then -1 else -delay(x, 1);
  when step > 0.5 then
    ticks = pre(ticks) + 1;
  end when;
  annotation (experiment(StopTime=3, Interval=0.05));
end Delay;
