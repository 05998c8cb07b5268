// An initial equation gives a discrete variable from a continuous one, whatever the order.
//? at 0 next 0.5 1e-12
//? value crossings 3 0
//? value x 1.9 1e-9
model DiscreteStart
  Real x;
  Real next;
  Integer crossings(start=0, fixed=true);
initial equation
  next = x + 0.6;
  x = -0.1;
equation
  der(x) = 2;
  when x >= pre(next) then
    next = x + 0.6;
    crossings = pre(crossings) + 1;
  end when;
  annotation (experiment(StopTime=1));
end DiscreteStart;
