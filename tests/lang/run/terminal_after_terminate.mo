// The end that the model chooses is an end, too.
//? value n 5 0
//? value at 0.5 1e-9
model TerminalAfterTerminate
  Integer n(start = 0, fixed = true);
  discrete Real at(start = -1, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.5 then
    terminate("far enough");
  end when;
  when terminal() then
    n = 5;
    at = time;
  end when;
  annotation(experiment(StopTime = 1));
end TerminalAfterTerminate;
