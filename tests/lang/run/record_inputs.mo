// The fields of an input that is a record are known, like any input of the model, and those of
// connectors at the top.
//? value y.b 3 1e-12
//? value c.y 0 1e-12
record Pair
  Real a;
  Real b;
end Pair;
connector Signals
  input Real u;
  output Real y;
end Signals;
model RecordInputs
  input Pair u[2];
  output Pair y;
  Signals c;
equation
  y.a = u[1].a;
  y.b = u[2].b + 3;
  c.y = 2*c.u;
  annotation(experiment(StopTime = 1));
end RecordInputs;
