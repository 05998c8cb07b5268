// A rectifier behind an open switch: nothing flows, and on which side of their kinks the diodes stand is rounding.
// Then the switch closes, and the capacitor is loaded to the peak of the source, less than two voltage drops of the diodes.
//? value rectifier.v 15.7141 1e-3
package Circuit
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  partial model Part
    Pin p, n;
    Real v, i;
  equation
    v = p.v - n.v;
    p.i + n.i = 0;
    i = p.i;
  end Part;
  model Diode
    extends Part;
    parameter Real Ron = 1e-5, Goff = 1e-5;
    Real s;
    Boolean off(start = true);
  equation
    off = s < 0;
    v = s*(if off then 1 else Ron);
    i = s*(if off then Goff else 1);
  end Diode;
  model Switch
    extends Part;
    parameter Real Ron = 1e-5, Goff = 0;
    Boolean closed;
    Real s;
  equation
    v = s*(if closed then Ron else 1);
    i = s*(if closed then 1 else Goff);
  end Switch;
  model Source
    extends Part;
  equation
    v = 110*sin(2*3.14159265358979*60*time);
  end Source;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model Transformer
    Pin p1, n1, p2, n2;
    parameter Real n = 7;
  equation
    p1.v - n1.v = n*(p2.v - n2.v);
    p1.i + n1.i = 0;
    p2.i + n2.i = 0;
    p2.i = -n*p1.i;
  end Transformer;
  model Capacitor
    extends Part(v(start = 0, fixed = true));
  equation
    1e-2*der(v) = i;
  end Capacitor;
  model Load
    extends Part;
  equation
    v = 200*i;
  end Load;
end Circuit;
model M
  Circuit.Source source;
  Circuit.Switch switch(closed = time >= 0.25);
  Circuit.Transformer transformer;
  Circuit.Diode d1, d2, d3, d4;
  Circuit.Capacitor rectifier;
  Circuit.Load load;
  Circuit.Ground g1, g2;
equation
  connect(source.n, g1.p);
  connect(source.p, switch.p);
  connect(switch.n, transformer.p1);
  connect(transformer.n1, g1.p);
  connect(transformer.p2, d1.p);
  connect(d1.n, d2.n);
  connect(d2.p, d4.n);
  connect(d4.p, d3.p);
  connect(d3.n, d1.p);
  connect(transformer.n2, d2.p);
  connect(d1.n, rectifier.p);
  connect(rectifier.n, d3.p);
  connect(load.p, rectifier.p);
  connect(load.n, rectifier.n);
  connect(d3.p, g2.p);
  annotation(experiment(StopTime = 0.5042));
end M;
