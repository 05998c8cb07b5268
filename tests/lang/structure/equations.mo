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
    terminate("enough");
  end while;
end BadLoop;

model BadOperatorInLoop
  Real x;
algorithm
  x := 1;
  while delay(x, 1) < time loop
    x := 2*x;
  end while;
end BadOperatorInLoop;

model GoodCounter
  Real x;
  Integer n;
algorithm
  x := 1;
  n := 0;
  while x < time loop
    x := 2*x;
    n := n + 1;
  end while;
end GoodCounter;

model GoodLoop
  Real x;
algorithm
  x := 1;
  while x < time loop
    x := 2*x;
  end while;
end GoodLoop;

model BadBinding
  Real x = time;
  parameter Real p = x;
end BadBinding;

model BadReturn
  Real x;
algorithm
  x := 1;
  if time > 1 then
    return;
  end if;
end BadReturn;

model BadBreak
  Real x;
algorithm
  x := 1;
  break;
end BadBreak;

model BadPartialDerivative
  function f
    input Integer n;
    input Real x;
    output Real y = n*x;
  algorithm
  end f;
  function f_n = der(f, n);
  Real y = f_n(2, time);
end BadPartialDerivative;

connector Pin
  Real v;
  flow Real i;
end Pin;
model Resistor
  Pin p, n;
equation
  p.v - n.v = p.i;
  p.i + n.i = 0;
end Resistor;

model BadOpenConnectors
  Pin a, b;
  Resistor r;
equation
  connect(a, r.p);
  connect(b, r.n);
end BadOpenConnectors;

model BadFlowOfOpenConnector
  Pin q;
equation
  q.v = 1;
  q.i = 3*time;
end BadFlowOfOpenConnector;

model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model GoodOpenConnector
  Pin a;
  Resistor r;
  Ground ground;
equation
  connect(a, r.p);
  connect(r.n, ground.p);
end GoodOpenConnector;
