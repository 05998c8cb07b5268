// Arrays of records in functions that are compiled: with values from their declaration (of all elements, of some fields, by the
// type), in each other, with two dimensions, as results beside others, and chosen elements of chosen elements, read and assigned.
//? value y 12332 1e-9
//? at 0.25 y 11323 1e-9
//? value r[1] 1 1e-9
//? value r[2] 6 1e-9
//? value r[3] 8 1e-9
//? at 0.25 r[3] 108 1e-9
//? value r[4] 2 1e-9
//? value r[5] 106 1e-9
//? at 0.25 r[5] 6 1e-9
//? value r[6] 8 1e-9
//? value r[7] 5 1e-9
//? value r[8] 4 1e-9
//? at 0.25 r[8] 3.25 1e-9
//? value cell 1112 1e-9
//? at 0.25 cell 1216 1e-9
//? value found 3 0
//? value slope 15 1e-6
//? at 0.25 slope 5 1e-6
package Nested
  type Colour = enumeration(red, green, blue);
  record P
    Real a = 6, b[2] = {a + 1, a - 1};
    String name = "none";
    Colour colour = Colour.blue;
  end P;
  record Q
    Real x;
    P ps[2](a = {6, 8});
  end Q;
  function declared
    input Real u;
    input Integer k;
    output Real y;
    output Q rest[2](x = {1, 2});
    output Real sum1 = u + 3;
  protected
    P ps[3] = {P(a = 1), P(a = 10), P(a = 100)};
    P same[2](each a = 1000*k);
    Integer n = 0;
  algorithm
    assert(u < 1e6, "too large");
    rest[k].ps[3 - k].a := rest[k].ps[3 - k].a + 100;
    y := same[3 - k].a + ps[k].b[1];
    for p in ps loop
      n := n + 1;
      y := y + n*p.a;
    end for;
    if same[k].colour == Colour.blue and ps[k].name == "none" then
      y := y + 10000;
    end if;
  end declared;
  function numbers
    input Real u;
    input Integer k;
    output Real y;
    output Real r[8];
  protected
    Q rest[2];
    Real sum1;
  algorithm
    (y, rest, sum1) := declared(u, k);
    r := {rest[1].x, rest[1].ps[1].a, rest[1].ps[2].a, rest[2].x, rest[2].ps[1].a, rest[2].ps[2].a, rest[2].ps[1].b[2], sum1};
  end numbers;
  function grid
    input Integer i;
    input Integer j;
    output Real y;
  protected
    P ps[2, 3];
    Q qs[2, 2];
  algorithm
    assert(i > 0, "not a position");
    for m in 1:2, n in 1:3 loop
      ps[m, n].a := 100*m + n;
      ps[m, n].b := {m, n};
    end for;
    qs[i, j].ps[j].b[i] := 50;
    qs[i, j].ps := ps[j, {1, 3}];
    qs[i, j].ps[j].b[i] := qs[i, j].ps[j].b[i] + 1000;
    y := qs[i, j].ps[j].b[i] + qs[i, j].ps[j].a + sum(ps[:, j].b[1]) + sum(ps[i, :].b[2]) + ps[i, j].b[2];
  end grid;
  function named
    input P ps[:];
    input String name;
    output Integer at = 0;
  algorithm
    for i in 1:size(ps, 1) loop
      if ps[i].name == name then
        at := i;
        return;
      end if;
    end for;
  end named;
  function squares "of chosen elements, with a derivative"
    input Q qs[2];
    input Integer k;
    output Real y = 0;
  protected
    Q made[2] = qs;
  algorithm
    assert(k > 0, "not a position");
    made[k].ps[3 - k].b[k] := made[k].x*made[k].ps[3 - k].a;
    for q in made loop
      y := y + q.x + q.ps[1].b[2] + q.ps[2].b[1];
    end for;
    annotation(smoothOrder = 2);
  end squares;
end Nested;
model RecordArrayLocals
  import Nested.*;
  Integer k = if time > 0.5 then 2 else 1;
  Real y, r[8], cell = Nested.grid(k, 3 - k);
  Integer found = Nested.named({P(name = "a"), P(name = "b"), P(name = if time > 0.5 then "c" else "b")}, "c");
  Q qs[2] = {Q(time, {P(3*time, {0, 0}), P(4*time, {0, 0})}), Q(2*time, {P(3*time, {0, 0}), P(2*time, {0, 0})})};
  Real area = Nested.squares(qs, k), slope = der(area);
equation
  (y, r) = numbers(time, k);
  annotation(experiment(StopTime = 1, Interval = 0.25));
end RecordArrayLocals;
