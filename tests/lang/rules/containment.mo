// Classes that contain themselves.

model BadSelf
  Real x = 1;
  BadSelf a, b;
end BadSelf;

model Outer
  Inner inner1;
end Outer;
model Inner
  Outer outer1;
end Inner;
model BadThroughAnother
  Real y = time;
  Outer o;
end BadThroughAnother;

model Base
  Derived d;
end Base;
model Derived
  extends Base;
end Derived;
model BadByInheritance
  Derived d;
end BadByInheritance;

record List
  Real head;
  List tail;
end List;
model BadRecord
  List l;
end BadRecord;

// One for each pair of many classes: each is entered once.
model A
  A a; B b; C c; D d; E e; F f; G g; H h;
end A;
model B
  A a; B b; C c; D d; E e; F f; G g; H h;
end B;
model C
  A a; B b; C c; D d; E e; F f; G g; H h;
end C;
model D
  A a; B b; C c; D d; E e; F f; G g; H h;
end D;
model E
  A a; B b; C c; D d; E e; F f; G g; H h;
end E;
model F
  A a; B b; C c; D d; E e; F f; G g; H h;
end F;
model G
  A a; B b; C c; D d; E e; F f; G g; H h;
end G;
model H
  A a; B b; C c; D d; E e; F f; G g; H h;
end H;
model BadCrowd
  A a;
end BadCrowd;

model Tree
  parameter Integer depth = 3;
  Real leaf = time;
  Tree left(depth = depth - 1) if depth > 0;
  Tree right(depth = depth - 1) if depth > 0;
end Tree;
model GoodTree
  Tree t(depth = 2);
end GoodTree;

model Chain
  parameter Integer n;
  Real x = n;
  Chain rest[if n > 1 then 1 else 0](each n = n - 1);
end Chain;
model GoodChain
  Chain c(n = 5);
end GoodChain;

// The component inside is of another class, by a redeclaration.
model Anything
end Anything;
model Leaf
  Real x = 1;
end Leaf;
model Shell
  replaceable model Content = Leaf constrainedby Anything;
  Content content;
end Shell;
model GoodShells
  Shell s(redeclare model Content = Shell(redeclare model Content = Shell));
end GoodShells;

model Endless
  parameter Integer n = 0;
  Endless next(n = n + 1) if n >= 0;
  Endless other(n = n + 1) if n >= 0;
end Endless;
model BadEndless
  Endless e;
end BadEndless;

// Connections that put a bus into itself.
expandable connector Bus
end Bus;
model BadBuses
  Bus a, b;
equation
  connect(a.c, b);
  connect(a, b.c);
end BadBuses;
model BadBusInItself
  Bus a;
equation
  connect(a.c, a);
end BadBusInItself;

// An outer component at the top of the model is the one that is meant further in.
model World
  outer World world;
  Real x = 1;
end World;
model GoodOuterAtTop
  outer World world;
end GoodOuterAtTop;

// The name of the inner component that would be added is taken.
model Part
  outer World world;
  Real y = world.x;
end Part;
model BadTakenName
  Real world = time;
  Part a, b;
end BadTakenName;
