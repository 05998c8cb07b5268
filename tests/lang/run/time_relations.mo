// Relations of time with what changes at events only: events exactly there, in the order of the text, and a strict one
// becomes true right after. The new threshold counts in the same instant.
//? at 0 steps 0 0
//? at 0.05 after 1 0
//? at 0.25 steps 2 0
//? value steps 10 0
//? value after 1 0
//? value last 1 0
//? value x 0.45 1e-12
//? value late 0 0
model TimeRelations
  discrete Real next(start=0.1, fixed=true);
  discrete Real last(start=-1, fixed=true);
  Integer steps(start=0, fixed=true);
  Integer after(start=0, fixed=true);
  Real x(start=0, fixed=true);
  Integer late(start=0, fixed=true);
equation
  when time >= pre(next) then
    next = if pre(steps) == 8 then 1 else pre(next) + 0.1;
    steps = pre(steps) + 1;
    last = time;
  end when;
  when time > 0 then
    after = pre(after) + 1;
  end when;
  when next < time then
    late = pre(late) + 1;
  end when;
  der(x) = if time - 0.3 < 0.25 then (if time <= 0.1 then 0 else 1) else 0;
  annotation (experiment(StopTime=1));
end TimeRelations;
