// Connectors with flow, inheritance, modification, a conditional component.
package Circuit
  type Voltage = Real(final unit = "V");
  type Current = Real(final unit = "A");
  connector Pin
    Voltage v;
    flow Current i;
  end Pin;
  partial model OnePort
    Pin p, n;
    Voltage v "drop";
    Current i;
  equation
    v = p.v - n.v;
    0 = p.i + n.i;
    i = p.i;
  end OnePort;
  model Resistor
    extends OnePort;
    parameter Real R(min = 0) = 1;
  equation
    v = R*i;
  end Resistor;
  model Capacitor
    extends OnePort(v(start = 1, fixed = true));
    parameter Real C = 1e-3;
  equation
    C*der(v) = i;
  end Capacitor;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model RC "one capacitor, one or two resistors"
    parameter Boolean two = false;
    Resistor r(R = 10);
    Resistor r2 if two;
    Capacitor c;
    Ground g;
  equation
    connect(r.p, c.p);
    connect(r.n, c.n);
    connect(r2.p, c.p);
    connect(r2.n, c.n);
    connect(c.n, g.p);
    annotation(experiment(StopTime = 0.1, Tolerance = 1e-8));
  end RC;
end Circuit;
//? class Circuit.RC
