// Two stuck elements share a load: the equations are singular, but have solutions; what is determined comes out.
//? warns t = 0: more than one solution, of which one near the values before is taken: linear equations for a
//? value load 3 1e-12
//? value both 3 1e-12
model StuckInSeries
  Real load, a, b, both = a + b, x(start=0, fixed=true);
  parameter Real p = 1, q = 1;
equation
  load = 3 + 0*x;
  p*a + q*b = load;
  q*a + p*b = load;
  der(x) = 1;
  annotation (experiment(StopTime=1));
end StuckInSeries;
