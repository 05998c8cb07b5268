// A parameter that initial equations determine chooses no branch before the run.
//? value x -1 1e-12
model M
  parameter Real p(fixed = false, start = 1);
  Real x(start = 0, fixed = true);
initial equation
  p = -2;
equation
  if p > 0 then
    der(x) = 1;
  else
    der(x) = -1;
  end if;
  annotation(experiment(StopTime = 1));
end M;
