// Arrays as subscripts that change during the run: in equations, algorithms and functions, of matrices, of arrays of components and
// of records; enumerations and Booleans as subscripts; an equation for the elements that are chosen; their derivatives. What is
// assigned is settled before the first element is: `order[order] := ...` is the inverse of a permutation.
//? value w[1] 4 1e-9
//? value w[2] 1 1e-9
//? at 0.25 w[1] 0.5 1e-9
//? at 0.25 w[2] 0.75 1e-9
//? value total 5 1e-9
//? value z[1,1] 1 1e-9
//? value z[2,1] 4 1e-9
//? value z[2,2] 5 1e-9
//? at 0.25 z[2,1] 1.5 1e-9
//? value part[1,1] 6 1e-9
//? value part[1,2] 4 1e-9
//? value part[2,1] 3 1e-9
//? value mixed[1] 3 1e-9
//? value mixed[2] 4 1e-9
//? value mixed[3] 2 1e-9
//? value a[1] 20 1e-9
//? value a[2] 0 1e-9
//? value a[4] 10 1e-9
//? at 0.25 a[2] 10 1e-9
//? at 0.25 a[3] 20 1e-9
//? value inverse[1] 3 0
//? value inverse[2] 1 0
//? value inverse[3] 2 0
//? value levels[1] 103 1e-9
//? value levels[2] 102 1e-9
//? value deep[1,2] 102 1e-9
//? value deep[2,1] 103 1e-9
//? at 0.25 deep[2,2] 101 1e-9
//? value fields[1] 30 1e-9
//? value picked[2].b 20 1e-9
//? value colours[1] 3 1e-9
//? value colours[2] 1 1e-9
//? value sides[1] 7 1e-9
//? value sides[2] 5 1e-9
//? value u[1] -8 1e-6
//? value u[4] 5 1e-6
//? at 0.25 u[2] 1.25 1e-6
//? at 0.25 u[3] -2 1e-6
//? value inlined[1] 16 1e-9
//? value inlined[2] 1 1e-9
//? value compiled[1] 16 1e-9
//? value compiled[2] 1 1e-9
//? value scattered[2] 0 1e-9
//? value scattered[4] 8 1e-9
//? value scattered[1] 2 1e-9
//? value chain[1] 4 1e-6
//? at 0.25 chain[1] 1.25 1e-6
//? value rate[1] 2 1e-6
//? value rate[2] 1 1e-6
//? at 0.25 rate[1] 1 1e-6
model VectorSubscripts
  type Colour = enumeration(red, green, blue);
  record R
    Real a, b;
  end R;
  model Tank
    parameter Real start;
    Real level = start + 100, parts[2] = {10, 20}*start;
    R r = R(start, 10*start);
  end Tank;
  model Row
    Tank tanks[3](start = {1, 2, 3});
    Integer p[2] = if time > 0.5 then {3, 2} else {1, 1};
    Real levels[2] = tanks[p].level;
  end Row;
  function chosen "executed in place"
    input Real v[:];
    input Integer p[:];
    output Real y[size(p, 1)];
  algorithm
    y := v[p].^2;
  end chosen;
  function squares "compiled"
    input Real v[:];
    input Integer p[:];
    output Real y[size(p, 1)];
  protected
    Integer k;
  algorithm
    assert(p[1] > 0, "not a position");
    y := v[p];
    k := div(p[2] + 1, 2);
    y[{k, 3 - k}] := y[{k, 3 - k}].^2;
  end squares;
  function scatter
    input Real v[:];
    input Integer p[:];
    output Real y[4];
  algorithm
    assert(p[1] > 0, "not a position");
    y := zeros(4);
    y[p] := v;
  end scatter;
  Integer p[2] = if time > 0.5 then {4, 1} else {2, 3};
  Real v[4] = {1, 2, 3, 4}*time, w[2] = v[p], total = sum(v[p]);
  Real m[2, 3] = [1, 2, 3; 4, 5, 6]*time, z[2, 2], part[2, 2], mixed[3], a[4];
  Integer order[3] = if time > 0.5 then {2, 3, 1} else {1, 2, 3}, inverse[3];
  Row row;
  Row rows[2];
  Real levels[2] = row.levels, deep[2, 2], fields[2] = row.tanks[row.p].r.b;
  R records[3] = {R(i, 10*i) for i in 1:3}, picked[2] = records[{order[3], order[1]}];
  Real paint[Colour] = {1, 2, 3}, colours[2];
  Colour brush[2] = if time > 0.5 then {Colour.blue, Colour.red} else {Colour.red, Colour.red};
  Real side[Boolean] = {5, 7}, sides[2] = side[{time > 0.5, time > 2}];
  Real u[4], inlined[2], compiled[2], scattered[4];
  Real s[2](start = {1, 2}, each fixed = true), chain[2], rate[2];
  Integer turned[2] = if time > 0.5 then {2, 1} else {1, 2};
equation
  z = m[:, {p[2], 2}];
  part = m[{order[1], 1}, {order[2], order[3]}];
  mixed = v[{3, p[1], 2}];
  deep = rows.levels;
  colours = paint[brush];
  u[p] = {time*5, -8*time};
  u[{if time > 0.5 then 2 else 1, if time > 0.5 then 3 else 4}] = {0, 0};
  inlined = chosen(v, p);
  compiled = squares(v, p);
  scattered = scatter({8, 2}, p);
  der(s) = {1, 2};
  chain = s[turned];
  rate = der(chain);
algorithm
  a := zeros(4);
  a[p] := {10, 20};
algorithm
  inverse := order;
  inverse[inverse] := {1, 2, 3};
  annotation(experiment(StopTime = 1, Interval = 0.25));
end VectorSubscripts;
