// Expandable connectors: members come from connections, and are passed on between buses.
package Bus
  connector RealInput = input Real;
  connector RealOutput = output Real;
  expandable connector Sub
    Real declared(unit = "m");
    Real unused;
  end Sub;
  expandable connector Main
    Sub sub;
  end Main;
  block Source
    RealOutput y = time;
    Main bus;
  equation
    connect(y, bus.speed);
  end Source;
  block Sink
    RealInput u, v;
    Main bus;
  equation
    connect(bus.speed, u);
    connect(bus.sub.declared, v);
  end Sink;
  model M
    Source source;
    Sink sink;
    RealOutput z = 2;
    Main bus;
  equation
    connect(source.bus, bus);
    connect(bus, sink.bus);
    connect(z, bus.sub.declared);
  end M;
end Bus;
//? class Bus.M
