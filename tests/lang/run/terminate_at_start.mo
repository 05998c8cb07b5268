//? value x 1 0
model TerminateAtStart
  Real x(start = 1, fixed = true);
initial equation
  if x > 0 then
    terminate("nothing to do");
  end if;
equation
  der(x) = 1;
  annotation(experiment(StopTime = 1));
end TerminateAtStart;
