// Prefixes of components, and connectors as a whole.

model M
  Real x = 1;
end M;

connector Pin
  Real v;
  flow Real i;
end Pin;

connector Signal
  input Real u;
end Signal;

model BadParameterModel
  parameter M m;
end BadParameterModel;

model BadInputModel
  model Inner
    input M m;
  end Inner;
  Inner inside;
end BadInputModel;

connector FlowOfIntegers
  Integer v;
  flow Integer i;
end FlowOfIntegers;

model BadFlowInteger
  FlowOfIntegers c;
end BadFlowInteger;

model BadStreamInModel
  stream Real h = 1;
end BadStreamInModel;

model BadFlowOfFlow
  flow Pin p;
end BadFlowOfFlow;

model BadInputOfInput
  input Signal s;
end BadInputOfInput;

model BadParameterConnector
  parameter Signal s;
end BadParameterConnector;

model BadUnequalConnector
  connector C
    Real v;
    Real w;
    flow Real i;
  end C;
  C c(w = 1);
end BadUnequalConnector;

model BadStreamWithoutFlow
  connector C
    stream Real h;
  end C;
  C c(h = 1);
end BadStreamWithoutFlow;

model BadBlockWithPin
  block B
    Pin p(v = 1);
  end B;
  B b;
end BadBlockWithPin;

model BadFunctionWithModel
  function f
    input Real x;
    output Real y;
  protected
    M m;
  algorithm
    y := x + m.x;
  end f;
  Real y = f(time);
end BadFunctionWithModel;

model BadExpandableFlow
  expandable connector Bus
    Real v;
    flow Real i;
  end Bus;
  Bus bus;
end BadExpandableFlow;

model GoodConnectors
  type Rotation
    extends Angles;
    function equalityConstraint
      input Rotation a;
      input Rotation b;
      output Real residue[1];
    algorithm
      residue := {a[1] - b[1]};
    end equalityConstraint;
  end Rotation;
  type Angles = Real[2];
  connector Frame
    Real r;
    Rotation R;
    flow Real f[2];
  end Frame;
  connector Fluid
    Real p;
    flow Real m;
    stream Real h;
  end Fluid;
  model Part
    Frame frame(r = 1, R = {2, 3});
    Signal s;
    parameter Integer n = 2;
    Pin p[n](v = fill(1, n));
  end Part;
  Part part(s(u = 1));
end GoodConnectors;
