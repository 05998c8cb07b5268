// Arrays in expandable connectors that no one declares: as long as the largest subscript in all
// connected buses.
//? value k.z 20 1e-12
//? value last.z 30 1e-12
//? value sum 60 1e-12
//? value pair.u[2] 2 1e-12
//? value cell.u 7 1e-12
connector RealIn = input Real;
connector RealOut = output Real;
expandable connector Bus
end Bus;
model Source
  parameter Integer i = 1;
  RealOut y = 10*i*time;
  Bus bus;
equation
  connect(y, bus.signals[i]);
end Source;
model Sink
  parameter Integer i = 2;
  RealIn u;
  Real z = u;
  Bus bus;
equation
  connect(bus.signals[i], u);
end Sink;
model Pair
  RealOut y[2] = {time, 2*time};
end Pair;
model All
  RealIn u[3];
end All;
model Two
  RealIn u[2];
end Two;
model One
  RealIn u;
end One;
model Seven
  RealOut y = 7*time;
end Seven;
model BusArrays
  Bus bus;
  Source s[3](i = {3, 1, 2});
  Sink k, last(i = 3);
  Pair p;
  All all;
  Two pair;
  One cell;
  Seven seven;
  Real sum = all.u[1] + all.u[2] + all.u[3];
equation
  for j in 1:3 loop
    connect(s[j].bus, bus);
  end for;
  connect(k.bus, bus);
  connect(last.bus, bus);
  connect(bus.signals, all.u);
  connect(p.y, bus.pairs[1:2]);
  connect(bus.pairs, pair.u);
  connect(seven.y, bus.table[1, 1]);
  connect(bus.table[1, 1], cell.u);
end BusArrays;
