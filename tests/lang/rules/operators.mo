// Where operators may stand, and what functions and when-equations must give.

function rate
  input Real x;
  output Real y;
algorithm
  y := der(x);
end rate;
model BadDerInFunction
  Real y = rate(time);
end BadDerInFunction;

function before
  input Real x;
  output Real y;
algorithm
  y := pre(x);
end before;
model BadPreInFunction
  Real y = before(time);
end BadPreInFunction;

function atStart
  input Real x;
  output Real y;
algorithm
  y := if initial() then 1 else x;
end atStart;
model BadInitialInFunction
  Real y = atStart(time);
end BadInitialInFunction;

function late
  input Real x;
  output Real y;
algorithm
  y := delay(x, 1);
end late;
model BadDelayInFunction
  Real y = late(time);
end BadDelayInFunction;

model BadPreOfContinuous
  Real x(start = 0, fixed = true);
  Real y = pre(x);
equation
  der(x) = 1;
end BadPreOfContinuous;

model BadPreInCondition
  Real x = time;
  Integer n(start = 0, fixed = true);
equation
  when pre(x) > 0.5 then
    n = 1;
  end when;
end BadPreInCondition;

model BadPreInAlgorithm
  Real x = time, y;
algorithm
  y := pre(x);
end BadPreInAlgorithm;

model GoodPre
  Real x(start = 0, fixed = true), last(start = 0, fixed = true), other(start = 0, fixed = true);
  discrete Real d(start = 0, fixed = true);
  Real now = if pre(d) > 0 and pre(last) > 0 and pre(other) > 0 then 1 else 0;
  parameter Real p = 1;
  Real q = pre(p);
equation
  der(x) = 1;
  when sample(0, 0.1) then
    last = pre(x);
    d = if pre(x) > 0.5 then pre(d) + 1 else 0;
  end when;
algorithm
  when x > 0.5 then
    other := pre(x);
  end when;
end GoodPre;

model BadDerOfDiscrete
  discrete Real x(start = 0, fixed = true);
  Real y = der(x);
equation
  when sample(0, 0.1) then
    x = time;
  end when;
end BadDerOfDiscrete;

model BadDerOfSetByAlgorithm
  Real x(start = 0, fixed = true), y = der(x);
algorithm
  when time > 0.5 then
    x := 1;
  end when;
end BadDerOfSetByAlgorithm;

model BadDerOfInteger
  Integer n = integer(10*time);
  Real y = der(n);
end BadDerOfInteger;

model BadEquality
  Real x = time;
  Real y = if x == 0.5 then 1 else 0;
end BadEquality;

model BadInequality
  Real x = time;
  Real y = if 0.5 <> sin(x) then 1 else 0;
end BadInequality;

function same
  input Real a, b;
  output Boolean y = a == b;
algorithm
end same;
model GoodEquality
  Integer n = integer(3*time);
  Real y = if n == 1 then 1 elseif same(time, 2.0) or 4/2 == 2 then 2 else 0;
end GoodEquality;
model BadEqualityOfParameter
  parameter Real p = 1;
  Real y = if p == 1 then 1 else 0;
end BadEqualityOfParameter;
model BadInequalityOfParameter
  parameter Real p = 1;
  parameter Boolean b = p <> 2.5;
end BadInequalityOfParameter;

function half
  input Real x;
  output Real y;
  output Real z;
algorithm
  y := x;
end half;
model BadOutput
  Real a, b;
equation
  (a, b) = half(time);
end BadOutput;

function empty
  input Real x;
  output Real y;
end empty;
model BadEmptyFunction
  Real a = empty(time);
end BadEmptyFunction;

record Pair
  Real a = 1;
  Real b = 2;
end Pair;
partial function interface
  input Real x;
  output Real y;
  output Pair p;
end interface;
function whole
  extends interface;
  output Real z = 2*x;
  output Real v[2];
  output Real nothing[0];
algorithm
  if x > 1 then
    for i in 1:2 loop
      v[i] := x;
    end for;
  else
    (v[1], v[2]) := parts(x);
  end if;
  y := x;
end whole;
function parts
  input Real x;
  output Real a, b;
algorithm
  a := x;
  b := x;
end parts;
model GoodOutputs
  Real y, z, v[2];
  Pair p;
equation
  (y, p, z, v) = whole(time);
end GoodOutputs;

model BadBranches
  discrete Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  when time > 0.3 then
    x = 1;
  elsewhen time > 0.6 then
    y = 2;
  end when;
end BadBranches;

model BadBranchWithout
  discrete Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  when time > 0.3 then
    x = 1;
    y = 1;
  elsewhen time > 0.6 then
    y = 2;
  end when;
end BadBranchWithout;

model BadTwiceInBranch
  discrete Real x(start = 0, fixed = true);
equation
  when time > 0.3 then
    x = 1;
    x = 2;
  end when;
end BadTwiceInBranch;

model GoodBranches
  discrete Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Real s(start = 0, fixed = true);
equation
  der(s) = 1;
  when time > 0.3 then
    x = 1;
    y = pre(y);
  elsewhen time > 0.6 then
    y = 2;
    x = 3;
    reinit(s, 0);
  end when;
algorithm
  when time > 0.3 then
    assert(x > -1, "x");
  elsewhen time > 2 then
    terminate("end");
  end when;
end GoodBranches;

model BadManyChoices
  Real v[6000] = fill(time, 6000);
  Integer p[6000] = if time > 0.5 then 1:6000 else fill(1, 6000);
  Real w[6000] = v[p];
end BadManyChoices;
