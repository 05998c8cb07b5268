// Connections, and what `when` sets.

connector Pin
  Real v;
  flow Real i;
end Pin;

connector RealInput = input Real;
connector RealOutput = output Real;

connector Labelled
  constant Integer label;
  Real v;
  flow Real i;
end Labelled;

block Source
  RealOutput y = time;
end Source;

block Sink
  RealInput u;
end Sink;

model BadTooDeep
  model Outer
    model Inner
      Pin a;
      Pin b;
    end Inner;
    Inner inside;
  end Outer;
  Outer o;
equation
  connect(o.inside.a, o.inside.b);
end BadTooDeep;

model BadTwoSources
  Source a;
  Source b;
  Sink s;
equation
  connect(a.y, s.u);
  connect(b.y, s.u);
end BadTwoSources;

model BadInputAndOutput
  RealInput u;
  Source a;
equation
  connect(u, a.y);
end BadInputAndOutput;

model BadDifferentConstants
  model Part
    Labelled a(label = 1);
    Labelled b(label = 2);
  end Part;
  Part p;
equation
  connect(p.a, p.b);
end BadDifferentConstants;

model BadConstantAndParameter
  connector Other
    parameter Integer label = 1;
    Real v;
    flow Real i;
  end Other;
  Labelled a(label = 1);
  Other b;
equation
  connect(a, b);
end BadConstantAndParameter;

model BadCausalAndPlain
  connector X
    input Real u;
  end X;
  connector Y
    Real u;
    flow Real f;
    output Real y;
  end Y;
  connector Z
    input Real u;
    flow Real f;
    Real y;
  end Z;
  Y y;
  Z z;
equation
  connect(y, z);
end BadCausalAndPlain;

model BadFlowWithoutOperators
  operator record Pair
    Real a;
    Real b;
  end Pair;
  connector C
    Pair v;
    flow Pair i;
  end C;
  C c;
end BadFlowWithoutOperators;

model BadCardinality
  Real x = 1;
  Integer n = cardinality(x);
end BadCardinality;

model BadWhenInModel
  model M
    discrete Real x;
  end M;
  M m;
equation
  when sample(0, 1) then
    m.x = time;
  end when;
end BadWhenInModel;

model BadDiscreteValue
  discrete Real x = 1;
end BadDiscreteValue;

model BadSampleTime
  Real x(start = 0);
equation
  when sample(time, 1) then
    x = 1;
  end when;
end BadSampleTime;

model GoodConnections
  record R
    Real x;
  end R;
  model Half
    RealInput u;
    RealOutput y;
    Sink s;
    Source a;
  equation
    connect(u, s.u);
    connect(a.y, y);
  end Half;
  Half h;
  Source a;
  Sink s;
  R r;
equation
  connect(a.y, h.u);
  connect(h.y, s.u);
  when sample(0, 1) then
    r.x = time;
  end when;
end GoodConnections;
