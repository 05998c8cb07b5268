// Loops and cases in equations: those of parameters are chosen now, others at each moment.
model ForIf
  parameter Integer n = 3;
  parameter Boolean linear = true;
  Real x[n];
  Real y;
  Real z;
equation
  for i in 1:n loop
    x[i] = if i == 1 then time else x[i - 1] + i;
  end for;
  if linear then
    y = x[1];
  else
    y = x[1] ^ 2;
    z = 0;
  end if;
  if time > 1 then
    z = 1;
  elseif time > 0.5 then
    z = y;
  else
    z = 0;
  end if;
end ForIf;
