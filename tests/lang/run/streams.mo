// Stream connectors: three streams meet, two of them inside of a component; later all flows turn round.
//? rtol 1e-8
//? at 1 k.seen 23.333333333333332 1e-9
//? at 1 s.seen 26 1e-9
//? at 1 sub.a.seen 30 1e-9
//? at 1 s.actual 10 0
//? at 1 k.U 117.8059378731055 1e-5
//? value k.seen 17.5 1e-9
//? value s.seen 5 1e-9
//? value sub.a.seen 5 1e-9
//? value s.actual 5 1e-9
//? value k.U 114.23360024179601 1e-5
//? value still.seen 8.5 1e-9
//? value pair.seen 1 0
//? value alone.seen 3 0
//? value valve.seen 2 0
//? value shell.seen 4 0
model Streams
  connector Port
    Real p;
    flow Real m_flow;
    stream Real h_outflow;
  end Port;
  partial model Ported
    Port port;
  end Ported;
  model Source
    extends Ported;
    parameter Real m = 1, h = 10;
    Real seen = inStream(port.h_outflow), actual = actualStream(port.h_outflow);
  equation
    port.m_flow = -m*cos(time);
    port.h_outflow = h;
  end Source;
  model Sink
    extends Ported;
    parameter Real h = 0;
    Real seen = inStream(port.h_outflow);
    Real U(start = 0, fixed = true);
  equation
    port.p = 0;
    port.h_outflow = h;
    der(U) = port.m_flow*actualStream(port.h_outflow);
  end Sink;
  model Sub "two sources behind one connector, which is connected through two levels"
    model Group
      extends Ported;
      Source a(m = 2, h = 20), b(m = 3, h = 30);
    equation
      connect(a.port, port);
      connect(b.port, port);
    end Group;
    extends Group;
  end Sub;
  model Shell "passes a connector on"
    Port port;
    replaceable model Inner = Sub constrainedby Ported;
    Inner inner_;
    Real seen = inStream(port.h_outflow);
  equation
    connect(inner_.port, port);
  end Shell;
  model Still = Source(m = 0);
  model OneWay "gives nothing back"
    Port port(m_flow(min = 0));
  equation
    port.m_flow = 1;
    port.h_outflow = 1e9;
  end OneWay;
  Source s(m = 1, h = 10);
  Sub sub;
  Sink k(h = 5);
  // Nothing flows: the mean of the others.
  Still still(h = 1), other(h = 7);
  Sink third(h = 10);
  // One to one, whatever flows, also through connectors of shells.
  Still pair(h = 4);
  Shell shell(redeclare model Inner = Sink(h = 1));
  // Closed.
  Sink alone(h = 3);
  // What never flows out does not mix.
  Sink valve;
  Shell inlet(redeclare model Inner = Source(m = 1, h = 2));
  OneWay drain;
equation
  connect(s.port, k.port);
  connect(sub.port, k.port);
  connect(still.port, other.port);
  connect(third.port, other.port);
  connect(pair.port, shell.port);
  connect(valve.port, inlet.port);
  connect(valve.port, drain.port);
  annotation (experiment(StopTime = 3, Interval = 0.5));
end Streams;
