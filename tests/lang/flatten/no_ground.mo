// Circuits without ground: a loop of two, a mesh, and the far side of a transformer.
package NoGround
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  partial model OnePort
    Pin p, n;
    Real v, i;
  equation
    v = p.v - n.v;
    p.i + n.i = 0;
    i = p.i;
  end OnePort;
  model Resistor
    extends OnePort;
  equation
    v = i;
  end Resistor;
  model Source
    extends OnePort;
  equation
    v = 1;
  end Source;
  model Sensor
    Pin p, n;
    Real v = p.v - n.v;
  equation
    p.i = 0;
    n.i = 0;
  end Sensor;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model Transformer
    Pin p1, n1, p2, n2;
  equation
    p1.i + n1.i = 0;
    p2.i + n2.i = 0;
    p1.v - n1.v = 2*(p2.v - n2.v);
    2*p1.i + p2.i = 0;
  end Transformer;
  model Loop
    Source source;
    Resistor load;
  equation
    connect(source.p, load.p);
    connect(source.n, load.n);
  end Loop;
  model Mesh
    extends Loop;
    Resistor other, third;
    Sensor sensor;
  equation
    connect(other.p, load.p);
    connect(other.n, third.p);
    connect(third.n, load.n);
    connect(sensor.p, other.p);
    connect(sensor.n, other.n);
  end Mesh;
  model Grounded
    extends Mesh;
    Ground ground;
  equation
    connect(ground.p, load.n);
  end Grounded;
  model Sides
    extends Grounded;
    Transformer transformer;
    Resistor far;
  equation
    connect(transformer.p1, load.p);
    connect(transformer.n1, load.n);
    connect(transformer.p2, far.p);
    connect(transformer.n2, far.n);
  end Sides;
end NoGround;
//? class NoGround.Sides
