// Floors of what only jumps, onto the numbers themselves, several times at an instant: a count of what is active.
//? value off 0 1e-9
//? value k 1 1e-9
//? value e 0 1e-9
//? value s 20 1e-9
//? value whole 20 1e-9
//? value half 40 1e-9
//? value rest 0 1e-9
//? value strayed 0 1e-9
model FloorsOfSums
  Boolean r;
  Real sum, off(start=0, fixed=true), strayed(start=0, fixed=true);
  Integer k, e;
  Real s;
  Integer whole, half, rest;
  discrete Integer n(start=0, fixed=true), m(start=0, fixed=true);
equation
  r = k > 0 and time < 2.2;
  sum = -((if time > 1 then 1.0 else 0.0) + (if time > 1 and time < 2 then 1.0 else 0)
    + (if pre(r) then 1.0 else 0.0));
  k = -integer(sum);
  e = integer(floor(sum)) + k;
  der(off) = abs(k + sum);
  when sample(0.5, 1) then
    n = pre(n) + 2;
  end when;
  when change(n) then
    m = mod(7*pre(m) + 3, 11);
  end when;
  s = n - 0.5*pre(m);
  whole = integer(s);
  half = integer(div(s, 0.5));
  rest = integer(2*mod(s, 2));
  der(strayed) = abs(half - 2*s) + abs(rest - noEvent(2*s - 4*floor(s/2))) + (if noEvent(abs(s - whole) >= 1) then 1 else 0);
  annotation (experiment(StopTime=10));
end FloorsOfSums;
