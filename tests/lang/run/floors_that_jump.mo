// Floors whose argument jumps, through other floors, relations, samples and reinit: by any number, also at an instant where it reaches the next number itself.
//? value I 6.92 1e-9
//? value k 2 1e-9
//? value minutes 21611.2 1e-6
//? value minute 28 1e-9
//? value hour 3 1e-9
//? value J 6.92 1e-9
//? value K 10.05 1e-9
//? value K9 9.65 1e-9
//? value D -7.1 1e-9
//? value changes 10 1e-9
//? value passed 0 1e-9
//? value far 12 1e-9
//? value thrown 29.495 1e-9
model FloorsThatJump
  Real x(start=0, fixed=true), I(start=0, fixed=true), md;
  Integer k, changes(start=0, fixed=true);
  Real clock(start=0, fixed=true), minutes(start=0, fixed=true);
  Integer hour, minute;
  Real s, J(start=0, fixed=true), K(start=0, fixed=true), K9(start=0, fixed=true);
  Real D(start=0, fixed=true), passed(start=0, fixed=true);
  Boolean high;
  discrete Integer n(start=0, fixed=true);
  Integer far;
  Real v(start=0.5, fixed=true), thrown(start=0, fixed=true);
equation
  der(x) = 1;
  md = mod(x, 2);
  k = integer(2*md);
  der(I) = k;
  when change(k) then
    changes = pre(changes) + 1;
  end when;
  // A clock of 40 minutes in a second.
  der(clock) = 40;
  hour = integer(mod(clock/60, 24));
  minute = integer(mod(clock, 60));
  der(minutes) = 2400*(hour + minute/60);
  // The same by relations; a jump at a number and one between numbers.
  s = x - (if x > 2 then 2 else 0) - (if x > 4 then 2 else 0);
  der(J) = integer(2*s);
  der(K) = integer(2*(x - (if x > 2 then 2.25 else 0)));
  der(K9) = integer(2*(x - (if x > 1.9 then 2.25 else 0)));
  // Downwards.
  der(D) = -integer(2*mod(5.3 - x, 2));
  // A relation that is crossed where it jumps back.
  high = s > 2;
  der(passed) = if high then 1 else 0;
  when sample(0.5, 1) then
    n = pre(n) + 4;
  end when;
  far = integer(0.6*n + 0*x);
  der(v) = 0;
  when x > 2.5 then
    reinit(v, 8.5);
  end when;
  der(thrown) = integer(v) + 1.5;
  annotation (experiment(StopTime=5.21));
end FloorsThatJump;
