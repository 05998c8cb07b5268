// Diodes switch when a source that depends on time alone passes zero, just when a sample sets another state: that turns
// nothing round. The mean of the rectified voltage since the last sample, half a period long, is 2/pi of the peak.
//? value shown 63.661971 1e-5
//? value rises 5 0
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
  model Source
    extends Part;
  equation
    v = 100*sin(2*3.14159265358979323846*50*time);
  end Source;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model Load
    extends Part;
  equation
    v = 200*i;
  end Load;
end Circuit;
model M
  constant Real pi = 3.14159265358979323846;
  Circuit.Source source;
  Circuit.Diode d1, d2, d3, d4;
  Circuit.Load load;
  Circuit.Ground ground;
  Real integral(start = 0, fixed = true);
  discrete Real shown(start = 0, fixed = true);
  Boolean positive = source.v > 0;
  Integer rises(start = 0, fixed = true);
equation
  connect(source.p, d1.p);
  connect(d1.n, d2.n);
  connect(d2.p, d4.n);
  connect(d4.p, d3.p);
  connect(d3.n, d1.p);
  connect(source.n, d2.p);
  connect(load.p, d1.n);
  connect(load.n, d3.p);
  connect(d3.p, ground.p);
  der(integral) = load.v;
  when sample(0.01, 0.01) then
    shown = pre(integral)*100;
    reinit(integral, 0);
  end when;
  when positive then
    rises = pre(rises) + 1;
  end when;
  annotation(experiment(StopTime = 0.095));
end M;
