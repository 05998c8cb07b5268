// Arrays of records that vary: loops over their elements in algorithms, in `when`, at the start and in functions; functions that take,
// make and choose from arrays of them whose size is that of an argument. The elements of a loop are those before its first turn.
//? value s 22 1e-9
//? at 0.25 s 16.75 1e-9
//? value reds 3 0
//? value first 6 1e-9
//? value kept 9.5 1e-9
//? value begun 8 1e-9
//? value own 22 1e-9
//? value weight 20 1e-9
//? value turned[1].x 6 1e-9
//? value turned[1].y[2] 6 1e-9
//? value turned[3].x 2 1e-9
//? value turned[3].colour 1 0
//? value doubled[2,1].x 4 1e-9
//? value doubled[2,2].y[2] 4 1e-9
//? value one.x 6 1e-9
//? value one.y[1] 1 1e-9
//? at 0.25 one.x 1 1e-9
//? value many[1].x 3 1e-9
//? value many[2].x 1 1e-9
//? value summed 18 1e-9
//? value inner_sum 82 1e-9
//? value before 14 1e-9
//? value none 0 0
//? value levels 32 1e-9
//? value speed 14 1e-6
//? at 0.25 speed 1.25 1e-6
//? value slope 14 1e-6
//? at 0.25 slope 1.25 1e-6
//? value total 9 1e-9
package Records
  type Colour = enumeration(red, blue);
  record V
    Real x, y[2];
    Colour colour = Colour.red;
    Boolean on = true;
  end V;
  record Pair
    V left, right;
  end Pair;
  record Open
    Real z[:];
    V v;
  end Open;
  function weighted
    input V vs[:];
    output Real s = 0;
  protected
    Real weight = 1;
  algorithm
    for v in vs loop
      if v.on then
        s := s + weight*v.x;
      end if;
      weight := weight + v.y[1];
    end for;
  end weighted;
  function reversed
    input V vs[:];
    output V ws[size(vs, 1)];
  protected
    V w[size(vs, 1)];
    Integer n = size(vs, 1);
  algorithm
    for i in 1:n loop
      assert(vs[i].x < 1000, "too large");
      w[i] := vs[n + 1 - i];
      w[i].x := 2*w[i].x;
      ws[i] := w[i];
    end for;
  end reversed;
  function pairs
    input V vs[:];
    output V ws[size(vs, 1), 2];
  algorithm
    assert(vs[1].x < 1000, "too large");
    for i in 1:size(vs, 1) loop
      ws[i, :] := {vs[i], vs[i]};
      ws[i, 1].x := 2*vs[i].x;
    end for;
  end pairs;
  function chosen
    input V vs[:];
    input Integer i;
    output V w;
  protected
    V turned[:] = vs;
  algorithm
    assert(i > 0, "no position");
    w := vs[i];
    turned := reversed(vs);
    w.x := turned[4 - i].x;
    w.y[1] := turned[i].y[1];
  end chosen;
  function several
    input V vs[:];
    input Integer p[:];
    output V ws[size(p, 1)];
  algorithm
    assert(p[1] > 0, "no position");
    ws := vs[p];
  end several;
  function nested
    input Pair ps[:];
    input Open os[:];
    output Real s = 0;
  algorithm
    assert(size(ps, 1) > 0, "empty");
    for p in ps, o in os loop
      s := s + p.left.x*p.right.y[2] + sum(o.z) + o.v.x;
    end for;
  end nested;
  function changed
    input V vs[:];
    output Real s = 0;
  protected
    V w[size(vs, 1)] = vs;
  algorithm
    for v in w loop
      w[1].x := 100;
      w[2].x := 100;
      w[3].x := 100;
      if v.x > 2.5 then
        s := s + 11;
        break;
      end if;
      s := s + v.x;
    end for;
  end changed;
  function depth
    input V vs[:];
    input Integer n;
    output Real s;
  protected
    V w[size(vs, 1)] = vs;
  algorithm
    if n <= 1 then
      s := weighted(vs);
    else
      w[n].x := 1 + n;
      s := depth(w, n - 1) + vs[n].x;
    end if;
  end depth;
  function area
    input V vs[:];
    output Real a = 0;
  algorithm
    for v in vs loop
      assert(v.x < 1000, "too large");
      a := a + v.x^2*v.y[1];
    end for;
    annotation(smoothOrder = 2);
  end area;
end Records;
model RecordArrays
  import Records.*;
  model Part
    V vs[3] = {V(time, {1, 2}), V(2*time, {3, 4}, on = time > 0.5), V(3, {5, 6}, if time > 0.5 then Colour.red else Colour.blue)};
  end Part;
  Part part, parts[2];
  V vs[3] = part.vs;
  Real s, first, summed = sum(v.x*2 for v in parts[2].vs) + sum({v.y[1] for v in vs})*2/3, own;
  Integer reds, i = if time > 0.5 then 3 else 2;
  discrete Real kept(start = 0, fixed = true);
  parameter Real begun(fixed = false);
  Real weight = Records.weighted(vs), total = Records.weighted({parts[1].vs[2]}) + Records.weighted(vs[{1, 3}]);
  V turned[3] = Records.reversed(vs), doubled[3, 2] = Records.pairs(part.vs), one = Records.chosen(vs, i);
  V many[2] = several(vs, {i, if time > 0.5 then 1 else 2});
  Real inner_sum = Records.nested({Pair(vs[1], vs[2]), Pair(vs[2], vs[3])}, {Open({1, 2, 3}*time, vs[1]), Open({4, 5, 6}, vs[3])});
  Real before = Records.changed(vs), none = Records.weighted(fill(V(0, {0, 0}), 0)), levels = Records.depth(vs, i);
  Real size_now = Records.area({V(time, {1, 0}), V(2*time, {time, 0})}), speed = der(size_now), slope;
  Real level(start = 0, fixed = true);
equation
  der(level) = speed;
  slope = der(Records.area(ends));
protected
  V ends[2] = {V(time, {1, 0}), V(2*time, {time, 0})};
initial algorithm
  begun := 0;
  for v in vs loop
    begun := begun + v.x + v.y[1] - 4/3;
  end for;
algorithm
  s := 0;
  reds := 0;
  for v in vs loop
    s := s + v.x*v.y[1];
    if v.colour == Colour.red then
      reds := reds + 1;
    end if;
  end for;
algorithm
  first := 0;
  for part in parts loop
    for v in part.vs loop
      if v.x > 1.5 then
        break;
      end if;
      first := first + v.x + v.y[2];
    end for;
  end for;
algorithm
  own := 0;
  for v in {V(time, {1, 2}), V(2*time, {3, 4}), V(3, {5, 6})} loop
    own := own + v.x*v.y[1];
  end for;
algorithm
  when time >= 0.75 then
    kept := 0.5;
    for v in vs loop
      kept := kept + v.x*2/(if v.x > 2.5 then 2 else 1);
      kept := kept + v.y[1] - 3;
    end for;
    kept := kept + 1.5;
  end when;
  annotation(experiment(StopTime = 1, Interval = 0.25));
end RecordArrays;
