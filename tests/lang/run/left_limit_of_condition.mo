// An initial equation may give the left limit of what a `when` waits for. Nothing fires at the start.
//? value n 1 0
//? at 0 n 0 0
//? value k 1 0
model LeftLimitOfCondition
  Boolean u = time < 1 or time > 2;
  Integer n(start = 0, fixed = true), k(start = 0, fixed = true);
initial equation
  pre(u) = false;
equation
  when u then
    n = pre(n) + 1;
  end when;
algorithm
  when initial() then
    k := 0;
  elsewhen u then
    k := pre(k) + 1;
  end when;
  annotation(experiment(StopTime = 3));
end LeftLimitOfCondition;
