//? value x 0.5 1e-9
model TerminateInAlgorithm
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
algorithm
  when time > 0.2 then
    if x > 0.5 then
      terminate("not here");
    end if;
  end when;
  if x >= 0.5 then
    terminate("far enough");
  end if;
  annotation(experiment(StopTime = 1));
end TerminateInAlgorithm;
