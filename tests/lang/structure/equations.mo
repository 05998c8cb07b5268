// Equations that do not fit their unknowns, each with its code and places.

model Tank
  Real level(start = 1), outflow;
equation
  der(level) = -outflow;
end Tank;

model BadTooFew
  Tank tank;
end BadTooFew;

model BadTooMany
  Tank tank;
equation
  tank.outflow = 0.1*tank.level;
  tank.outflow = 0.2;
end BadTooMany;

model BadSingular
  Real x, y, z;
equation
  x + y = time;
  x - y = 2*time;
  x*y = 3;
end BadSingular;

model GoodTank
  Tank tank;
equation
  tank.outflow = 0.1*tank.level;
end GoodTank;

model BadDiscreteLoop
  Integer n;
equation
  when sample(0, 1) then
    n = n + 1;
  end when;
end BadDiscreteLoop;

model BadParameterCycle
  parameter Real a = b;
  parameter Real b = 2*a;
  Real x = a;
end BadParameterCycle;

model BadInputDerivative
  input Real u;
  Real x(stateSelect = StateSelect.always), v;
equation
  x = u;
  v = der(x);
end BadInputDerivative;

model BadReinit
  Real y, v;
equation
  y = 2*time;
  v = der(y);
  when time > 0.5 then
    reinit(y, 1);
  end when;
end BadReinit;

model BadLoop
  Real x;
algorithm
  x := 1;
  while x < time loop
    x := 2*x;
  end while;
end BadLoop;

model BadBinding
  Real x = time;
  parameter Real p = x;
end BadBinding;
