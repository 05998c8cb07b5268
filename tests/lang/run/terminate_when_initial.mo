//? value x 1 0
model TerminateWhenInitial
  Real x(start = 1, fixed = true);
equation
  der(x) = 1;
  when initial() then
    terminate("nothing to do");
  end when;
  annotation(experiment(StopTime = 1));
end TerminateWhenInitial;
