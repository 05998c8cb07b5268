// Names: packages, imports, enclosing classes, conditional components, time.

package Lib
  constant Real one = 1;
  class Mixed
    Real x = 1;
    model Inside
      Real y = 2;
    end Inside;
    encapsulated model Outside
      Real y = 3;
    end Outside;
  end Mixed;
  class Constants
    constant Real two = 2;
    model Inside
      Real y = two;
    end Inside;
  end Constants;
  partial package Part
    constant Real three = 3;
  end Part;
  package Other
    constant Real one = 11;
  end Other;
  model Hidden
    function twice
      input Real x;
      output Real y = 2 * x;
    algorithm
    end twice;
  protected
    constant Real secret = 4;
    model Deep
      Real z = 5;
    end Deep;
  end Hidden;
end Lib;

model BadComponentOfClass
  Real y = Lib.Mixed.x;
end BadComponentOfClass;

model BadClassOfClass
  Lib.Mixed.Inside m;
end BadClassOfClass;

model BadPartialPackage
  Real y = Lib.Part.three;
end BadPartialPackage;

model BadProtectedClass
  Lib.Hidden.Deep m;
end BadProtectedClass;

model BadProtectedConstant
  Real y = Lib.Hidden.secret;
end BadProtectedConstant;

model BadClassOfComponent
  Lib.Constants c;
  c.Inside m;
end BadClassOfComponent;

model BadFunctionOfArray
  Lib.Hidden h[2];
  Real y = h[1].twice(3);
end BadFunctionOfArray;

model BadImportedTwice
  import Lib.one;
  import one = Lib.Other.one;
  Real y = one;
end BadImportedTwice;

model BadImportOfModel
  import Lib.Mixed.Outside;
  Outside m;
end BadImportOfModel;

model BadAmbiguousImport
  import Lib.*;
  import Lib.Other.*;
  Real y = one;
end BadAmbiguousImport;

model BadImportFromModel
  import Lib.Hidden.*;
  Real y = twice(1);
end BadImportFromModel;

model BadEnclosingParameter
  parameter Real p = 1;
  model Inside
    Real y = p;
  end Inside;
  Inside m;
end BadEnclosingParameter;

model BadConditionalEquation
  Real x if true;
equation
  x = 1;
end BadConditionalEquation;

model BadConditionalPart
  model Inside
    Real x = 1 if true;
  end Inside;
  Inside m;
  Real y = m.x;
end BadConditionalPart;

model BadConditionalCall
  Lib.Hidden h if true;
  Real y = h.twice(1);
end BadConditionalCall;

model BadTimeInFunction
  function now
    output Real t;
  algorithm
    t := time;
  end now;
  Real t = now();
end BadTimeInFunction;

model BadTimeInRecord
  record R
    Real t = time;
  end R;
  R r;
end BadTimeInRecord;

model BadPartialShortClass
  partial model P
    Real x = 1;
  end P;
  model Q = P;
  Q q;
end BadPartialShortClass;

model GoodNames
  import Lib.one;
  import other = Lib.Other.one;
  Lib.Mixed.Outside m;
  Lib.Constants.Inside n;
  Lib.Hidden h;
  constant Real c = 1;
  model Inside
    Real y = c + one + other;
  end Inside;
  Inside i;
  Real y = h.twice(time);
  Real z = Lib.Constants.two;
  record R
    Real t;
  end R;
  R r(t = time);
end GoodNames;

partial function OuterInterface
  input Real u;
  output Real y;
end OuterInterface;
model CallsOuter
  outer function f = OuterInterface;
  Real y = f(1);
end CallsOuter;
model BadOuterFunction
  CallsOuter c;
end BadOuterFunction;
