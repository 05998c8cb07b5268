// Values and bodies of functions and constructors; what algorithms may hold.

function oneself
  input Real x = x;
  output Real y = x;
algorithm
end oneself;
model BadDefaultOfItself
  Real y = oneself();
end BadDefaultOfItself;

function eachOther
  input Real x = z;
  input Real z = x;
  output Real y = x;
algorithm
end eachOther;
model BadDefaultsOfEachOther
  Real y = eachOther();
end BadDefaultsOfEachOther;

function cycle
  input Real x;
  output Real y = z;
protected
  Real z = w;
  Real w = z + x;
algorithm
end cycle;
model BadCycleOfLocals
  Real y = cycle(time);
end BadCycleOfLocals;

function cycleBeforeLoop
  input Real x;
  output Real y = z;
protected
  Real z = w;
  Real w = z + x;
algorithm
  while y < x loop
    y := y + 1;
  end while;
end cycleBeforeLoop;
model BadCycleBeforeLoop
  Real y = cycleBeforeLoop(time);
end BadCycleBeforeLoop;

function ownSize
  input Integer n = n + 1;
  output Real y[n] = ones(n);
algorithm
end ownSize;
model BadDefaultOfSize
  Real y[2] = ownSize();
end BadDefaultOfSize;

function outputOfItself
  input Real x;
  output Real y = y + x;
algorithm
end outputOfItself;
model BadOutputOfItself
  Real y = outputOfItself(time);
end BadOutputOfItself;

record Turning
  Real a = b;
  Real b = a;
end Turning;
model BadFieldsOfEachOther
  Turning r = Turning();
end BadFieldsOfEachOther;
model GoodFieldGiven
  Turning r = Turning(a = 1);
end GoodFieldGiven;

model BadFixedOfItself
  parameter Real p(fixed = p > 1) = 2;
  Real x[integer(p)] = {1, time};
end BadFixedOfItself;

function unchanged
  input Real x;
  output Real y;
algorithm
  y := x;
end unchanged;
function times
  extends unchanged;
  input Real k = 2;
algorithm
  y := k*x;
end times;
model BadSecondAlgorithm
  Real y = times(3);
end BadSecondAlgorithm;
function named = unchanged;
function renamed
  extends named;
end renamed;
model GoodInheritedAlgorithm
  Real y = renamed(3);
end GoodInheritedAlgorithm;

model BadReinitInAlgorithm
  Real x(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -1;
algorithm
  when x < 0.5 then
    n := pre(n) + 1;
    reinit(x, 1);
  end when;
end BadReinitInAlgorithm;

model BadAssignedIndex
  function f
    input Real x[:];
    output Real y = 0;
  algorithm
    assert(x[1] > -1, "negative");
    for i in 1:3 loop
      i := 2;
      y := y + i;
    end for;
  end f;
  Real x[2] = {time, 2*time}, y, z = f(x);
algorithm
  y := 0;
  for e in x loop
    e := 3;
    y := y + e;
  end for;
end BadAssignedIndex;

model BadStringOption
  Boolean b = String(time, digits = 3) == "";
end BadStringOption;

model BadStringOptionOfInteger
  Integer i = 3;
  Boolean b = String(i, significantDigits = 3) == "";
end BadStringOptionOfInteger;

model BadFormatAsDigits
  Boolean b = String(time, ".3f") == "";
end BadFormatAsDigits;

model BadManyOptions
  Integer i = 3;
  Boolean b = String(i, 4, true, 5) == "";
end BadManyOptions;

model BadLengthOfString
  Boolean b = String(time, minimumLength = 2.5) == "";
end BadLengthOfString;

model GoodStringOptions
  Integer i = 3;
  Boolean b = String(time, 3, 8, false) + String(i, 4, true) + String(i > 2, 6) + String(i, format = "d") == "";
end GoodStringOptions;

model BadPartOfRunTimeArray
  function mean
    input Real u[3];
    output Real y = sum(u)/3;
  algorithm
  end mean;
  function f
    input Integer n;
    output Real s;
  protected
    Real w[n];
  algorithm
    s := mean(w);
  end f;
  Real s = f(if time > 0.5 then 3 else 2);
end BadPartOfRunTimeArray;

model BadElementOfIntegers
  function f
    input Real x;
    output Integer n[2];
  algorithm
    n[1] := x;
    n[2] := 2;
  end f;
  Integer n[2] = f(1.5);
end BadElementOfIntegers;

model BadElementOfBooleans
  function f
    input Integer x;
    output Boolean b;
  protected
    Boolean all_b[2];
  algorithm
    all_b[1] := x;
    all_b[2] := true;
    b := all_b[1];
  end f;
  Boolean b = f(1);
end BadElementOfBooleans;

model BadPartiallyApplied
  partial function Shape
    input Real x;
    output Real y;
  end Shape;
  function value
    input Shape f;
    output Real y = f(2);
  algorithm
  end value;
  function power
    extends Shape;
    input Real n = 2;
  algorithm
    y := x^n;
  end power;
  Real good = value(function power(n = 3));
  Real bad = value(function power(m = 3));
end BadPartiallyApplied;

operator record Polar
  Real x;
  Real y;
  encapsulated operator 'constructor'
    import Polar;
    function from_radius
      input Real r;
      output Polar p(x = r, y = 0);
    algorithm
    end from_radius;
  end 'constructor';
end Polar;

model BadConstructor
  Polar good = Polar(1);
  Polar bad = Polar(1, 2);
end BadConstructor;
