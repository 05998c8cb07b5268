// Types that go together: cases of `if`, elements of arrays, operands, ends of ranges, subscripts.

type E = enumeration(a, b);
type F = enumeration(a, b, c);
type Same = E;
type Twin = enumeration(a, b);

model BadIf
  Real x = if time > 1 then "a" else 2;
end BadIf;

model BadIfBoolean
  Real x = if time > 1 then 1 else true;
end BadIfBoolean;

model BadElseif
  Real x = if time > 2 then 1 elseif time > 1 then 2.5 elseif time > 0 then "b" else 3;
end BadElseif;

model BadIfEnumerations
  E e = if time > 0.5 then E.a else F.c;
end BadIfEnumerations;

model BadIfInNoEvent
  Real x = noEvent(if time > 1 then 1 else false);
end BadIfInNoEvent;

model BadIfInSmooth
  Real x = smooth(0, if time > 1 then 1 else E.a);
end BadIfInSmooth;

model BadIfOfParameter
  parameter Boolean p = true;
  Real x = if p then 1 else "a";
end BadIfOfParameter;

model BadIfInAlgorithm
  Real x;
algorithm
  x := if time > 1 then 1 else true;
end BadIfInAlgorithm;

function choice
  input Real u;
  output Real y;
algorithm
  y := if u > 1 then u else false;
end choice;
model BadIfInFunction
  Real x = choice(time);
end BadIfInFunction;

model BadIfSizes
  Real x = if time > 1 then {1, 2} else 3;
end BadIfSizes;

model BadArray
  Real x[2] = {1, "a"};
end BadArray;

model BadArrayOfEnumerations
  E e[2] = {E.a, F.b};
end BadArrayOfEnumerations;

model BadMatrix
  Real x[1, 2] = [1, true];
end BadMatrix;

model BadMatrixRows
  Real x[2, 1] = [1; "a"];
end BadMatrixRows;

model BadCat
  Real x[2] = cat(1, {time}, {true});
end BadCat;

model BadArrayCall
  Real x[2] = array(time, true);
end BadArrayCall;

model BadComprehension
  Real x[2, 2] = {fill(time, i) for i in 1:2};
end BadComprehension;

model BadSum
  Real x = sum({true, false});
end BadSum;

model BadSumFor
  Real x = sum(i > 1 for i in 1:3);
end BadSumFor;

model BadProduct
  Real x = product({E.a, E.b});
end BadProduct;

model BadMax
  Real x = max(time, true);
end BadMax;

model BadMinEnumerations
  E e = min(E.a, F.b);
end BadMinEnumerations;

model BadMaxStrings
  String s = max({"a", "b"});
end BadMaxStrings;

model BadMod
  Real x = mod(5, true);
end BadMod;

model BadPower
  Real x = time ^ true;
end BadPower;

model BadDivide
  Real x = time / E.a;
end BadDivide;

model BadSemiLinear
  Real x = semiLinear(time, true, 2);
end BadSemiLinear;

model BadHomotopy
  Real x = homotopy(true, 2);
end BadHomotopy;

model BadCross
  Real x[3] = cross({1, 2, 3}, {true, false, true});
end BadCross;

model BadRange
  Real x[2];
equation
  for i in 1:true loop
    x[i] = time;
  end for;
end BadRange;

model BadRangeOfEnumerations
  Real x[E];
equation
  for i in E.a:F.b loop
    x[i] = time;
  end for;
end BadRangeOfEnumerations;

model BadLoopValues
  Real x[2];
equation
  for i in {1, true} loop
    x[i] = time;
  end for;
end BadLoopValues;

model BadComparison
  Boolean b = E.a == F.a;
end BadComparison;

model BadSubscriptOfEnumeration
  Real tab[E] = {10, 20};
  Real q = tab[F.b];
end BadSubscriptOfEnumeration;

model BadIntegerForEnumeration
  Real tab[E] = {10, 20};
  Real q = tab[1];
end BadIntegerForEnumeration;

model BadBooleanForInteger
  Real a[2] = {10, 20};
  Real q = a[true];
end BadBooleanForInteger;

model BadEnumerationForInteger
  parameter Integer n = 2;
  Real a[n] = {10, 20};
  Real q = a[E.b];
end BadEnumerationForInteger;

model BadIntegerForBoolean
  Real a[Boolean] = {10, 20};
  Real q = a[2];
end BadIntegerForBoolean;

model BadSubscriptDuringRun
  Real tab[E] = {10, 20};
  F f = if time > 1 then F.a else F.b;
  Real q = tab[f];
end BadSubscriptDuringRun;

model BadElement
  record R
    Real a[E];
  end R;
  R r[2];
  Real x = r[2].a[F.a];
equation
  r[1].a = {1, 2};
  r[2].a = {1, 2};
end BadElement;

function of_enumeration
  input E e;
  output Real y;
algorithm
  y := if e == E.a then 1 else 2;
end of_enumeration;
model BadArgument
  F f = if time > 1 then F.a else F.b;
  Real x = of_enumeration(f);
end BadArgument;

model BadAssignment
  E e;
algorithm
  e := F.c;
end BadAssignment;

model BadWhen
  E e(start = E.a, fixed = true);
equation
  when time > 1 then
    e = F.c;
  end when;
end BadWhen;

record Pair
  E e;
  Real x;
end Pair;
model BadField
  Pair p = Pair(F.c, time);
end BadField;

model BadStart
  E e(start = F.c);
equation
  when time > 1 then
    e = E.a;
  end when;
end BadStart;

model BadReinit
  Real x(start = 1, fixed = true);
equation
  der(x) = 1;
  when time > 0.5 then
    reinit(x, true);
  end when;
end BadReinit;

model BadDelay
  Real x = delay(time, true);
end BadDelay;

model BadSample
  Boolean b = sample(true, 1);
end BadSample;

model BadLinspace
  Real x[3] = linspace(true, 2, 3);
end BadLinspace;

model BadDiagonal
  Real x[2, 2] = diagonal({true, false});
end BadDiagonal;

model BadRecords
  record Other
    E e;
    Real y;
  end Other;
  Pair p = if time > 1 then Pair(E.a, time) else Other(E.a, time);
end BadRecords;

model GoodTypes
  parameter Boolean vector = true;
  Real a = if time > 1 then 1 else 2.5;
  E e = if time > 1 then E.a elseif time > 0.5 then Same.b else Twin.a;
  String s = if time > 1 then "a" else "b";
  Boolean b = if time > 1 then time > 2 else false;
  Real x[3] = {1, 2.5, time};
  Real y[2, 2] = [1, 2.5; time, 3];
  Real z[3] = cat(1, {1}, {time, 2});
  Real w[:] = if vector then {time, 2} else zeros(0);
  Real none[0] = if time > 1 then zeros(0) else fill(1.5, 0);
  Real tab[E] = {10, 20};
  Real q = tab[e] + tab[E.b] + sum(tab[i] for i in E) + tab[Twin.a];
  Real of[Boolean] = {1, 2};
  Real r = of[time > 1] + of[true];
  Real t[2, E];
  Real ends = tab[end] + of[end] + sum(tab[E.b:end]);
  Integer n = max(1, integer(time));
  Real m = max(1, time) + min({1, 2.5}) + mod(5, 2.5) + time ^ 2 + semiLinear(time, 1, 2);
  E largest = max(E.a, e), least = min({E.a, e});
  Boolean either = max(time > 1, false);
  Boolean same = e == Twin.b;
  Real first[2] = {tab[i] for i in E.a:E.b};
  String words[2] = {"a", "b"} + {"c", s};
equation
  for i loop
    for j in E loop
      t[i, j] = i * time;
    end for;
  end for;
end GoodTypes;
