// Initial points that do not ascend from 0 to 1 end the run at its start.
//? fails the initial points do not ascend from 0 to 1
model Pipe
  parameter Real last = 0.5;
  Real x(start=0, fixed=true), out0, out1;
equation
  der(x) = 1;
  (out0, out1) = spatialDistribution(time, 0, x, true, {0, last}, {0, 1});
end Pipe;
