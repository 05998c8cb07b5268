// A call for its effect determines nothing: a case of an `if` may lack it, and it is made only
// where its case applies.
//? value x 1 1e-9
function refuse_more_than
  input Real limit;
  input Real x;
algorithm
  assert(x <= limit, "too much");
end refuse_more_than;
model CallsInIf
  Real x(start = 0, fixed = true);
initial equation
  refuse_more_than(0, x);
equation
  der(x) = 1;
  if time < 0.5 then
    refuse_more_than(0.6, x);
  elseif initial() then
    refuse_more_than(-1, x);
  end if;
  annotation(experiment(StopTime = 1));
end CallsInIf;
