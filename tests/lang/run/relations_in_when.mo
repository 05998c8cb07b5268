//? value k 2 0
//? value l 2 0
//? value n 2 0
//? value i 2 0
//? value j 2 0
//? value r 2 0
//? value w 5 0
//? value u 1 0
//? value late 4 0
//? value full 2 0
// What a when-equation sets sees the relations that fired it, in whatever words.
model RelationsInWhen
  Integer k, l, n, i, j, r, w, u;
  Real x(start = 1, fixed = true);
  Boolean below = x < 0.5;
  Integer tenths = integer(10*time);
  // Others than those that fire it are what their numbers say.
  Boolean unused = time > 0.5, passed = z > 1;
  Integer late(start = 0, fixed = true), full(start = 0, fixed = true);
  Real z(start = 0, fixed = true);
equation
  der(x) = -1;
  der(z) = 2;
  when sample(0, 0.125) then
    late = pre(late) + (if time > 0.5 then 1 else 0);
  end when;
  when sample(0, 0.25) then
    full = pre(full) + (if z > 1 then 1 else 0);
  end when;
  when time > 0.5 then
    k = if time > 0.5 then 2 else 1;
    i = if not (time <= 0.5) then 2 else 1;
    u = if noEvent(0.5 < time) then 2 else 1;
  end when;
  when below then
    l = if x < 0.5 then 2 else 1;
    r = if 0.5 > x then 2 else 1;
    j = if x >= 0.5 then 1 else 2;
  end when;
  when tenths >= 5 then
    w = integer(10*time);
  end when;
algorithm
  when time > 0.5 then
    n := if time > 0.5 then 2 else 1;
  end when;
end RelationsInWhen;
