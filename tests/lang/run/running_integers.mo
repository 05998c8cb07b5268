// Integers and Booleans that follow from functions of what changes all the time: computed all the
// time, or, where someone asks for their left limits, with events of their own.
//? value n 3 1e-9
//? value m 7 1e-9
//? value above 0 1e-9
//? value y 3.5 1e-9
//? value area 2 2e-3
//? value later 3 1e-9
//? value changes 3 1e-9
//? value fired 1.5 1e-9
//? value risen 0.5 1e-9
//? value u 3 1e-9
//? value doubled 2 1e-9
//? value x 2 1e-9
//? value k 1 1e-9
//? value seen 1 1e-9
//? value early 0.75 1e-9
//? value whole 3 1e-9
//? value odd 7 1e-9

// In steps of a half, from a loop that depends on the argument: 0, 1, 2, 3, and the rest.
function steps
  input Real x;
  output Real rest;
  output Integer n;
algorithm
  rest := x;
  n := 0;
  while rest >= 0.5 and n < 3 loop
    n := n + 1;
    rest := rest - 0.5;
  end while;
end steps;

function isLow
  input Real x;
  output Boolean b;
algorithm
  b := x < 0.5;
end isLow;

function wholeOf
  input Real x;
  output Integer n;
algorithm
  n := integer(x);
end wholeOf;

function oddOf
  input Real x;
  output Integer n;
algorithm
  n := 2*integer(floor(x)) + 1;
end oddOf;

model running_integers
  Real rest, y, area(start = 0, fixed = true);
  Integer n, m;
  Boolean above;
  // asked for their left limits
  Integer q, later, changes(start = 0, fixed = true);
  Real rest2, fired(start = 0, fixed = true), risen(start = 0, fixed = true);
  Boolean low;
  // a loop that computes both
  Real u;
  Integer doubled;
  // in an algebraic loop
  Real x;
  Integer k;
  // whole parts
  Real slope = 1.75*time;
  Integer whole = wholeOf(slope), odd = oddOf(slope);
  // a timer that depends on it
  Integer first;
  Real restFirst, early(start = 0, fixed = true);
  discrete Integer seen(start = 0, fixed = true);
equation
  (rest, n) = steps(time);
  m = 2*n + 1;
  not above = n > 2;
  y = n + rest;
  der(area) = if above then n else 1;
  (rest2, q) = steps(time);
  later = pre(q);
  when change(q) then
    changes = pre(changes) + 1;
  end when;
  when q == 3 then
    fired = time;
  end when;
  low = isLow(time);
  when not low then
    risen = time;
  end when;
  x = k + 1;
  k = if isLow(x - 1.5) then 1 else 1;
  (restFirst, first) = steps(min(time, 0.75));
  when time >= 1 - 0.25*first then
    early = time;
    seen = first;
  end when;
algorithm
  u := 1;
  doubled := 0;
  while doubled < time loop
    u := 2^(doubled + 1) - doubled;
    doubled := doubled + 1;
  end while;
  annotation(experiment(StopTime = 2));
end running_integers;
