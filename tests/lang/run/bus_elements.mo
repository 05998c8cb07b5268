// Arrays of buses inside of a bus, connected element by element, and arrays of components on members.
//? value twice 12 1e-12
//? value one.y 2 1e-12
connector In = input Real;
connector Out = output Real;
expandable connector CellBus
end CellBus;
expandable connector StackBus
  parameter Integer n = 2;
  CellBus cell[n];
end StackBus;
block Source
  parameter Real k = 1;
  Out y;
equation
  y = k*time;
end Source;
block Sum
  parameter Integer n = 2;
  In u[n];
  Out y;
equation
  y = sum(u);
end Sum;
model Stack
  parameter Integer n = 2;
  StackBus bus(n=n);
  Source s[n](k=1:n);
equation
  connect(s.y, bus.cell.v);
end Stack;
model BusElements
  Stack stack(n=3);
  StackBus bus(n=3);
  Sum total(n=3);
  Sum one(n=1);
  Real twice;
equation
  connect(stack.bus, bus);
  connect(bus.cell.v, total.u);
  connect(bus.cell[2].v, one.u[1]);
  twice = 2*total.y;
end BusElements;
