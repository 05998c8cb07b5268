// State machines.
block Run
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
end Run;

model Two
  Run a, b, c;
equation
  transition(a, b, a.x > 1);
  transition(b, a, b.x > 1);
end Two;

model GoodMachine
  extends Two;
equation
  initialState(a);
  transition(b, c, b.x > 2, priority = 2) annotation(__Arges_handOver(c(x = b.x)));
end GoodMachine;

model GoodQuestion
  extends Two;
  Real y = if activeState(a) then a.x else b.x;
equation
  initialState(a);
end GoodQuestion;

model BadNoStart
  extends Two;
end BadNoStart;

model BadTwoStarts
  extends Two;
equation
  initialState(a);
  initialState(b);
end BadTwoStarts;

model BadLevels
  Two one, two;
equation
  initialState(one.a);
  transition(one.a, two.b, time > 1);
end BadLevels;

model BadTarget
  extends Two;
equation
  initialState(a);
  transition(a, c, a.x > 2, priority = 2) annotation(__Arges_handOver(c(z = a.x)));
end BadTarget;

model BadAbsentTarget
  extends Two;
equation
  initialState(a);
  transition(a, c, a.x > 2, priority = 2) annotation(__Arges_handOver(b(x = a.x)));
end BadAbsentTarget;

model BadPriority
  extends Two;
equation
  initialState(a);
  transition(a, c, a.x > 1);
end BadPriority;

model BadIncomplete
  inner Real y;
  block Defines
    outer output Real y;
  equation
    der(y) = 1;
  end Defines;
  Defines a;
  Run b;
equation
  initialState(a);
  transition(a, b, y > 1);
end BadIncomplete;

model BadUse
  extends Two;
  Real y = a.x;
equation
  initialState(a);
end BadUse;

model BadUnreachable
  extends Two;
  Run lost;
equation
  initialState(a);
  transition(lost, a, lost.x > 1);
  transition(a, c, a.x > 1);
end BadUnreachable;

model BadCondition
  extends Two;
equation
  if a.x > 1 then
    initialState(a);
  end if;
end BadCondition;

model Many
  Run a, b, c, d, e, f, g;
equation
  initialState(a);
  transition(a, b, a.x > 1);
  transition(b, c, b.x > 1);
  transition(c, d, c.x > 1);
  transition(d, e, d.x > 1);
  transition(e, f, e.x > 1);
  transition(f, g, f.x > 1);
end Many;

model BadMany
  Many m1, m2, m3, m4;
end BadMany;
