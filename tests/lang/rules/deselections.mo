// extends B(break x, break connect(a, b)).

connector Pin
  Real v;
  flow Real i;
end Pin;

model Part
  Pin a, b;
equation
  a.v = a.i;
  b.v = b.i;
end Part;

record Data
  Real x;
end Data;

model Base
  Part one, two;
  Data data(x = 1);
  Real z = 2;
equation
  connect(one.b, two.a);
end Base;

model GoodDeselection
  extends Base(break two);
  Part two;
end GoodDeselection;

model GoodConnection
  extends Base(break connect(two.a, one.b));
end GoodConnection;

model BadName
  extends Base(break three);
end BadName;

model BadVariable
  extends Base(break z);
end BadVariable;

model BadRecord
  extends Base(break data);
end BadRecord;

model BadConnection
  extends Base(break connect(one.a, two.b));
end BadConnection;
