// The call of a case that applies.
//? fails too much
function refuse_more_than
  input Real limit;
  input Real x;
algorithm
  assert(x <= limit, "too much");
end refuse_more_than;
model CallInIfFails
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  if time > 0.5 then
    refuse_more_than(0.4, x);
  end if;
  annotation(experiment(StopTime = 1));
end CallInIfFails;
