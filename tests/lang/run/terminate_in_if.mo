//? value x 0.25 1e-9
model TerminateInIf
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  if x > 0.5 then
    terminate("too late");
  elseif x > 0.25 then
    terminate("far enough");
  end if;
  annotation(experiment(StopTime = 1));
end TerminateInIf;
