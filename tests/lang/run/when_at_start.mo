// At the start a when-clause does not fire: its equation is v = pre(v), and an initial equation may give v, also when
// the condition holds already. With initial() it does fire.
//? at 0 count -1 0
//? at 0 since -0.3 1e-15
//? at 0 first 7 0
//? at 0 other 3 0
//? value count 2 0
//? value since 0.9 1e-12
//? value first 8 0
//? value other 4 0
model WhenAtStart
  parameter Real start = 0.1, period = 0.4;
  discrete Real since;
  Integer count, first(start=7);
  Integer other(start=0);
equation
  when integer((time - start)/period) > pre(count) then
    count = pre(count) + 1;
    since = time;
  end when;
  when time > 0.5 then
    first = pre(first) + 1;
  end when;
algorithm
  when {initial(), time >= 0.25} then
    other := if initial() then 3 else pre(other) + 1;
  end when;
initial algorithm
  count := integer((time - start)/period);
  since := start + count*period;
  annotation (experiment(StopTime=1));
end WhenAtStart;
