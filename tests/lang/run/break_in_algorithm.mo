// `break` in a loop of an algorithm section, which is unrolled: the first element above a bound, and
// nothing behind it. Of two indices it ends the inner loop.
//? value first 3 0
//? value visited 2 0
//? value last 0 0
//? value sum 9 0
//? at 0.5 first 2 0
//? at 0.5 visited 1 0
model break_in_algorithm
  parameter Real a[4] = {1, 2, 3, 4};
  Integer first, visited, last, sum;
  Real bound = if time > 0.75 then 2.5 else 1.5;
algorithm
  first := 0;
  visited := 0;
  last := 0;
  for i in 1:4 loop
    if a[i] > bound then
      first := i;
      if first > 0 then
        break;
      end if;
      last := i;
    elseif a[i] > 100 then
      break;
    end if;
    visited := visited + 1;
  end for;
  sum := 0;
  for i in 1:3, j in 1:4 loop
    if j > i + 1 or a[j] > 1e3*bound then
      break;
    end if;
    sum := sum + 1;
  end for;
  annotation(experiment(StopTime = 1));
end break_in_algorithm;
