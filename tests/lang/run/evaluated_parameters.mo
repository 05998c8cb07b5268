// A capacitance that is zero and may not be changed is no capacitance: the current is zero, and nothing is a state.
//? value i 0 1e-15
//? value v 2 1e-14
//? value v2 4 1e-14
model EvaluatedParameters
  parameter Real C = 0 annotation (Evaluate=true);
  final parameter Real C2 = 2*C;
  Real i, v;
  Real i2, v2, c, d "also zero, by way of equations";
equation
  c = 5*C + d;
  d = C2*v;
  i2 = c*der(v2);
  v2 = 4 - i2;
  i = C2*der(v);
  v = 2 - 3*i;
  annotation (experiment(StopTime=1));
end EvaluatedParameters;
