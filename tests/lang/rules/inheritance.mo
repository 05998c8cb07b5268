// Inheritance, redeclaration, inner and outer, modifications.

class A
  Real x = 1;
end A;

class B
  Real x = 2;
  Real y = 3;
end B;

class C
  replaceable B b;
  replaceable class D = B;
  final replaceable class E = B;
  replaceable constant Real k = 1;
end C;

model BadRedeclaredComponent
  C c(redeclare A b);
end BadRedeclaredComponent;

model BadRedeclaredClass
  model Holder
    replaceable class D = B;
    D d;
  end Holder;
  Holder h(redeclare class D = A);
end BadRedeclaredClass;

model BadConstrained
  replaceable A a constrainedby B;
end BadConstrained;

model BadType
  model Holder
    replaceable Integer n = 1;
  end Holder;
  Holder h(redeclare Real n = 1);
end BadType;

model BadFinal
  model Holder
    final replaceable Real x = 1;
  end Holder;
  Holder h(redeclare Real x = 2);
end BadFinal;

model BadFinalElement
  model Holder
    final replaceable Real x = 1;
  end Holder;
  extends Holder;
  redeclare Real x = 2;
end BadFinalElement;

model BadConstant
  C c(redeclare Real k = 2);
end BadConstant;

model BadVisibility
  model Holder
  protected
    replaceable Real x = 1;
  end Holder;
  extends Holder;
  redeclare Real x = 2;
end BadVisibility;

model BadRedeclaredTwice
  model Once
    extends C(redeclare B b);
  end Once;
  extends Once(redeclare B b);
end BadRedeclaredTwice;

model BadNotReplaceable
  model Holder
    model M
      Real x = 1;
    end M;
  end Holder;
  extends Holder;
  redeclare model extends M
    Real y = 2;
  end M;
  M m;
end BadNotReplaceable;

model BadDuplicate
  extends A;
  Integer x = 1;
end BadDuplicate;

model BadInheritedBase
  model Holder
    model M
    end M;
  end Holder;
  extends Holder;
  extends M;
end BadInheritedBase;

model BadReplaceableBase
  replaceable model M
    Real x = 1;
  end M;
  extends M;
end BadReplaceableBase;

model BadArrayBase
  class A3 = A[3];
  class D
    extends A3;
    Real z = 1;
  end D;
  D d;
end BadArrayBase;

model BadFunctionAsClass
  function f
    input Real x;
    output Real y = x;
  algorithm
  end f;
  class g = f;
  Real y = g(1);
end BadFunctionAsClass;

model BadTwoAlgorithms
  function f
    input Real x;
    output Real y;
  algorithm
    y := x;
  algorithm
    y := 2 * y;
  end f;
  Real y = f(1);
end BadTwoAlgorithms;

model BadAssignedInput
  function f
    input Real x;
    output Real y;
  algorithm
    if x > 1 then
      x := 2;
    end if;
    y := x;
  end f;
  Real y = f(1);
end BadAssignedInput;

model BadModifiedTwice
  B b(x = 1, y = 2, x = 3);
end BadModifiedTwice;

model BadModifiedOuter
  model Inside
    outer parameter Real p = 2;
  end Inside;
  inner parameter Real p = 1;
  Inside i;
end BadModifiedOuter;

model BadOuterSize
  model Inside
    outer Real p[3];
    Real y = p[1];
  end Inside;
  inner Real p[4] = {1, 2, 3, 4};
  Inside i;
end BadOuterSize;

model BadOuterType
  model Inside
    outer Integer p;
  end Inside;
  inner Real p = 1;
  Inside i;
end BadOuterType;

model BadEnumeration
  type E = enumeration(one, two);
  type F = enumeration(two, three);
  parameter E e = F.two;
end BadEnumeration;

model BadConstantOfParameter
  parameter Real p = 1;
  constant Real k = p;
end BadConstantOfParameter;

model BadAssertion
  parameter Real p = 1;
equation
  assert(1 > 2, "one is greater than two");
end BadAssertion;

model BadAssertionInAlgorithm
  constant Integer n = 3;
algorithm
  assert(n < 3, "too many");
end BadAssertionInAlgorithm;

model GoodInheritance
  model Chain
    replaceable model M
      Real x = 1;
    end M;
  end Chain;
  model Link
    extends Chain;
    redeclare replaceable model extends M
      Real y = 2;
    end M;
  end Link;
  extends Link;
  redeclare model extends M
    Real z = x + y;
  end M;
  M m;
  model Base
    parameter Integer n = 2;
  end Base;
  model Left
    extends Base;
    Real l[n] = fill(1, n);
  end Left;
  model Right
    extends Base;
    Real r[n] = fill(2, n);
  end Right;
  model Both
    extends Left;
    extends Right;
  end Both;
  Both both(n = 3);
  C c(redeclare B b(y = 7));
  model Sized
    Real v[:] = ones(size(v, 1));
  end Sized;
  Sized s(redeclare Real v[2]);
  model Inside
    outer A shared;
    Real y = shared.x;
  end Inside;
  inner B shared;
  Inside i;
end GoodInheritance;

model BadAmbiguousConstructor
  operator record Pair
    Integer a;
    Integer b;
    encapsulated operator 'constructor'
      import BadAmbiguousConstructor.Pair;
      function first
        input Integer i;
        output Pair p(a = 1, b = i);
      algorithm
      end first;
      function second
        input Integer i;
        output Pair p(a = i, b = 1);
      algorithm
      end second;
    end 'constructor';
  end Pair;
  Pair p = Pair(1);
end BadAmbiguousConstructor;

model GoodDeclaredAgain
  model Base
    parameter Integer n = 2;
    Real b[n] = fill(1, n);
  end Base;
  model Again
    extends Base;
    parameter Integer n = 2;
    Real a[n] = fill(3, n);
  end Again;
  Again again(n = 1);
end GoodDeclaredAgain;

model Modifiable
  parameter Real p = 1;
protected
  parameter Real q = 1;
end Modifiable;

model BadUnknownInExtends
  extends Modifiable(r = 2);
end BadUnknownInExtends;

model BadUnknownInShortClass = Modifiable(r = 2);

model GoodModifications
  model Short = Modifiable(p = 2);
  extends Short(p = 3, q = 2);
end GoodModifications;

model GoodNewEnumeration
  package Colours
    replaceable type Colour = enumeration(:);
    constant Colour first;
  end Colours;
  package Two = Colours(redeclare type Colour = enumeration(red, green));
  Two.Colour c = Two.Colour.red;
end GoodNewEnumeration;
