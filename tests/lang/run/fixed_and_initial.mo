// A fixed start value and an initial equation that says no more than the equations do: the first one counts, else y
// and pre(y) would follow from each other.
//? value t0 0.5 0
//? at 0 y 1 0
//? value y 0 0
model FixedAndInitial
  parameter Boolean begins = true;
  Boolean y(start = begins, fixed = true);
  Boolean open = not y, closed = y;
  discrete Real t0;
initial equation
  pre(open) = not y;
  pre(closed) = y;
  t0 = -1;
algorithm
  when time > 0.5 then
    y := not y;
  end when;
equation
  when edge(open) or edge(closed) then
    t0 = time;
  end when;
  annotation(experiment(StopTime = 1));
end FixedAndInitial;
