// What a `when` around a machine waits for comes true by a transition: once, at its instant.
//? value n 2 0
//? value m 2 0
//? value k 4 0
//? value l 2 0
//? value q 2 0
//? value entered 2 1e-9
//? value kicks 2 0
//? value y 3.8 1e-9
//? value own 0 0
//? value up.n 2 0
model WhenAroundMachine
  inner Real x(start = 0, fixed = true), v;
  block A
    outer output Real x, v;
    Integer own(start = 0);
  equation
    der(x) = v;
    v = 1;
    // Of the block itself: it begins with this, and waits for it to come true.
    when v > 0 then
      own = pre(own) + 1;
    end when;
  end A;
  block B
    outer output Real x, v;
  equation
    der(x) = v;
    v = -1;
  end B;
  block Counter
    input Boolean u;
    output Integer n(start = 0, fixed = true);
  algorithm
    when u then
      n := pre(n) + 1;
    end when;
  end Counter;
  A a;
  B b;
  Counter up(u = neg);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true), k(start = 0, fixed = true);
  Integer l(start = 0, fixed = true), q(start = 0, fixed = true), kicks(start = 0, fixed = true);
  discrete Real entered(start = -1, fixed = true);
  Boolean neg = v < 0;
  Integer i = if neg then 7 else 3;
  Real u = if activeState(b) then 5 else 2;
  Real y(start = 0, fixed = true);
  Integer own = if activeState(a) then a.own else 0;
equation
  initialState(a);
  transition(a, b, x > 1);
  transition(b, a, x < 0.5);
  when activeState(b) then
    n = pre(n) + 1;
    entered = time;
  end when;
  when neg then
    m = pre(m) + 1;
  end when;
  when change(i) then
    k = pre(k) + 1;
  end when;
  when u > 3 then
    l = pre(l) + 1;
  end when;
  der(y) = 1;
  when activeState(a) then
    kicks = pre(kicks) + 1;
    reinit(y, y + 0.5);
  end when;
algorithm
  when v < 0 then
    q := pre(q) + 1;
  end when;
  annotation(experiment(StopTime = 2.8));
end WhenAroundMachine;
