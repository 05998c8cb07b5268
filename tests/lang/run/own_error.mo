//? fails no more of this
function refuse
  input String text;
  external "C" ModelicaError(text);
end refuse;
model OwnError
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  if x > 0.5 then
    refuse("no more of this");
  end if;
  annotation(experiment(StopTime = 1));
end OwnError;
