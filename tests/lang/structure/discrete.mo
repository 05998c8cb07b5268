// What changes at events only must follow from what makes events; Integers and Booleans may be
// computed all the time.

function above
  input Real x;
  output Integer n;
algorithm
  n := if x > 0.5 then 1 else 0;
end above;

// Not executed in place: the loop depends on the argument.
function steps
  input Real x;
  output Integer n;
protected
  Real rest = x;
algorithm
  n := 0;
  while rest > 1 loop
    n := n + 1;
    rest := rest - 1;
  end while;
end steps;

model GoodInlinedCall
  Integer n = above(time);
  Real y = n;
end GoodInlinedCall;

model GoodCall
  Integer n = steps(10*time);
  Real y = n;
end GoodCall;

model GoodNoEvent
  Boolean b = noEvent(time > 0.5);
end GoodNoEvent;

model GoodNoEventOfState
  Real x(start = 0, fixed = true);
  Boolean b;
equation
  der(x) = 1;
  not b = noEvent(x < 0.5);
end GoodNoEventOfState;

model GoodSign
  Integer n = sign(time - 0.5);
end GoodSign;

model GoodWhenCondition
  discrete Real x(start = 0, fixed = true);
equation
  when noEvent(time > 0.5) then
    x = 1;
  end when;
end GoodWhenCondition;

model GoodAlgorithm
  Boolean b;
algorithm
  b := false;
  if noEvent(sin(time) > 0.5) then
    b := true;
  end if;
end GoodAlgorithm;

// Set by a when, and outside of it from what changes all the time.
model BadHalfDiscrete
  Real x;
algorithm
  x := time;
  when time > 0.5 then
    x := 2;
  end when;
end BadHalfDiscrete;

model BadDiscreteReal
  discrete Real x = 2*time;
end BadDiscreteReal;

model BadDiscreteInLoop
  discrete Real x;
  Real y;
algorithm
  x := 0;
  y := 1;
  while y < time loop
    y := 2*y;
    x := x + 1;
  end while;
end BadDiscreteInLoop;

// A function of what changes at events only, and functions in what happens at events only.
model GoodCalls
  Real x(start = 1, fixed = true);
  Integer n = integer(10*time);
  Integer m = above(n);
  Integer k(start = 0, fixed = true), l(start = 0, fixed = true);
  Boolean rises = x < 0.5, both = edge(rises) and noEvent(time > 0.1), changed = change(n) and above(x) == 1;
  Boolean late(start = false, fixed = true);
  Real noisy = if noEvent(x > 0.3) then 1 else 0;
equation
  der(x) = -x;
  when {sample(0, 0.1), rises} then
    k = above(x);
  elsewhen time > 0.55 then
    k = steps(10*x);
  end when;
algorithm
  when time > 0.5 then
    l := above(x);
    late := noEvent(x > 0.3);
  elsewhen initial() then
    l := steps(x);
  end when;
end GoodCalls;

// The relations are those of the model, not of the function: they make events.
function count
  input Boolean b[:];
  output Integer n;
algorithm
  n := 0;
  for i in 1:size(b, 1) loop
    if b[i] then
      n := n + 1;
    end if;
  end for;
end count;

model GoodRelationsAsArguments
  Integer n = count({time > 0.1*k for k in 1:5});
end GoodRelationsAsArguments;

// ---- several whens ----

model BadTwoWhens
  discrete Real x(start = 0, fixed = true);
equation
  when time > 0.3 then
    x = 1;
  end when;
  when time > 0.6 then
    x = 2;
  end when;
end BadTwoWhens;

// y is x.
model BadTwoWhensOfAliases
  discrete Real x(start = 0, fixed = true), y;
equation
  x = y;
  when time > 0.3 then
    x = 1;
  end when;
  when time > 0.6 then
    y = 2;
  end when;
end BadTwoWhensOfAliases;

model BadTwoReinits
  Real x(start = 1, fixed = true);
equation
  der(x) = -1;
  when x < 0 then
    reinit(x, 1);
  end when;
  when time > 0.5 then
    reinit(x, 2);
  end when;
end BadTwoReinits;

model GoodReinits
  Real x(start = 1, fixed = true), y(start = 1, fixed = true);
equation
  der(x) = -1;
  der(y) = -1;
  when x < 0 then
    reinit(x, 1);
  elsewhen time > 0.5 then
    reinit(x, 2);
    reinit(y, 2);
  end when;
end GoodReinits;

model BadWhenAndEquation
  Real x(start = 0, fixed = true);
equation
  when time > 0.3 then
    x = 1;
  end when;
  x = time;
end BadWhenAndEquation;

model GoodWhens
  discrete Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  when time > 0.3 then
    x = 1;
  elsewhen time > 0.6 then
    x = 2;
  end when;
algorithm
  when time > 0.3 then
    y := 1;
  end when;
  when time > 0.3 then
    y := 2;
  end when;
end GoodWhens;

// ---- strings ----

model GoodStringMemory
  String s(start = "early");
equation
  when time > 0.5 then
    s = "late";
  end when;
end GoodStringMemory;

model GoodLeftLimitOfString
  Real x(start = 0, fixed = true);
  String s = if x > 1 then "high" else "low";
  Boolean b = pre(s) == "low";
equation
  der(x) = 1;
end GoodLeftLimitOfString;

model GoodStringInput
  input String s;
  Real x = if s == "a" then 1 else 2;
end GoodStringInput;

model BadLeftLimitOfInput
  input String s;
  Boolean b = change(s);
end BadLeftLimitOfInput;

model BadStringLoop
  String s = t + "a", t = s + "b";
end BadStringLoop;

model BadStringWithoutValue
  String s;
  Real x = if s == "a" then 1 else 2;
end BadStringWithoutValue;

model BadStringTwice
  String s = "a";
equation
  s = "b";
end BadStringTwice;

// Backwards, too: t from s = t.
model GoodStrings
  String s, t, u = "u";
  Real x = if t == u then 1 else 0;
equation
  s = t;
  s = u;
end GoodStrings;

// An Integer that follows from a Real.
model BadIntegerFromReal
  Integer n;
equation
  n = 1.5;
end BadIntegerFromReal;

model BadIntegerFromConstant
  Integer n;
  Real x = 2;
equation
  n = x;
end BadIntegerFromConstant;

model BadIntegerAtStart
  parameter Integer n(fixed = false);
initial equation
  n = 1.5;
end BadIntegerAtStart;

model GoodRealFromInteger
  Integer n = if time > 1 then 2 else 1;
  Real x;
equation
  n = x;
end GoodRealFromInteger;
