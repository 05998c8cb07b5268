// spatialDistribution(): at constant velocity a delay, of a curve and of a jump; the initial profile, linear with a jump, comes out first;
// a change of direction brings back what is inside.
//? rtol 1e-9
//? at 0.1 out0 0.0998334166468281523 1e-12
//? at 0.1 out1 2.8 1e-9
//? at 0.4 out1 0.4 1e-9
//? at 0.9 out1 0.3894183423086505 1e-7
//? at 1.45 out1 0.8134155047893737 1e-7
//? at 1.55 out1 4.1025 1e-7
//? value out1 9.25 1e-7
//? at 0.7 turn1 9 1e-12
//? at 0.8 turn1 7 1e-12
//? at 0.8 turn0 1.8 1e-12
//? at 1.3 turn0 1.7 1e-8
//? at 1.3 turn1 101.3 1e-12
//? at 2.3 turn0 101.3 1e-8
//? value ticks 1 0
model Pipe
  Real x(start=0, fixed=true), v = 2;
  Real in0, out0, out1;
  Real turn0, turn1, y(start=0, fixed=true);
  Real w = if time < 1 then 1 else -1;
  Integer ticks(start=0, fixed=true);
equation
  der(x) = v;
  in0 = if time < 1 then sin(time) else 3 + time^2;
  (out0, out1) = spatialDistribution(in0, 0, x, v >= 0, {0, 0.5, 1}, {0, 1, 4});
  der(y) = w;
  (turn0, turn1) =
    spatialDistribution(1 + time, 100 + time, y, w >= 0, {0, 0.25, 0.25, 1}, {7, 7, 9, 9});
  when out1 > 3.9 and time > 0.2 then
    ticks = pre(ticks) + 1;
  end when;
  annotation (experiment(StopTime=3, Interval=0.05));
end Pipe;
