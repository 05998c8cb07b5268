// Fixed start values of discrete variables are those of their left limits: two that are equal from
// the start on may differ before it.
//? value beforeA 3 0
//? value beforeB 5 0
//? at 0 a 1 0
//? value c 2 0
//? value changes 1 0
//? value up 2 0
//? value down -2 0
model FixedBefore
  Integer a(start=3, fixed=true), b(start=5, fixed=true), c(start=7, fixed=true);
  discrete Real up(start=1, fixed=true), down(start=1, fixed=true);
  parameter Integer beforeA(fixed=false), beforeB(fixed=false);
  Integer changes(start=0, fixed=true);
initial equation
  beforeA = pre(a);
  beforeB = pre(b);
equation
  a = if time < 0.5 then 1 else 2;
  b = a;
  c = b;
  when time > 0.5 then
    up = pre(up) + 1;
  end when;
  down = -up;
  when b <> pre(b) then
    changes = pre(changes) + 1;
  end when;
end FixedBefore;
