// What one end of a long chain of buses has reaches the other end.
//? value b[1].x 3 1e-12
//? value b[150].x 3 1e-12
model BusChain
  expandable connector Bus
  end Bus;
  connector Out = output Real;
  block Source
    Out y = 3;
  end Source;
  Bus b[150];
  Source source;
equation
  for i in 1:149 loop
    connect(b[i], b[i + 1]);
  end for;
  connect(source.y, b[150].x);
end BusChain;
