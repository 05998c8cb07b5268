// Arrays in expandable connectors: sizes that are left open, elements that nothing is connected to, subscripts that are literals.
//? value c.z 30 1e-12
//? value far.z 10 1e-12
//? value named.z 5 1e-12
//? value whole.z 3 1e-12
//? value declared.z 7 1e-12
connector RealIn = input Real;
connector RealOut = output Real;
type Axis = enumeration(x, y, z);
expandable connector Bus
  Real v[:], pair[:];
  Real w[Axis], q[4];
end Bus;
expandable connector Plain
end Plain;
model Source
  parameter Real k = 1;
  RealOut y = k*time;
end Source;
model Sink
  RealIn u;
  Real z = u;
end Sink;
model Part
  Plain bus;
  Source s(k = 10);
equation
  connect(s.y, bus.v[1]);
end Part;
model Pair
  RealOut y[2] = {time, 2*time};
end Pair;
model Whole
  RealIn u[2];
  Real z = sum(u);
end Whole;
model BusOpenSizes
  Bus bus, other;
  Part part;
  Source third(k = 30), axis(k = 5), element(k = 7);
  Sink c, far, named, declared;
  Pair p;
  Whole whole;
equation
  connect(part.bus, bus);
  connect(third.y, bus.v[3]);
  connect(bus.v[3], c.u);
  connect(bus, other);
  connect(other.v[1], far.u);
  connect(axis.y, bus.w[Axis.z]);
  connect(other.w[Axis.z], named.u);
  connect(p.y, bus.pair);
  connect(other.pair, whole.u);
  connect(element.y, bus.q[2]);
  connect(bus.q[2], declared.u);
end BusOpenSizes;
