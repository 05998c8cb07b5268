// 1103515245*s has more digits than a double: its remainder is none of its last digits.
//? fails 'n' is not finite at t = 
model IntegerTooLarge
  function next
    input Integer s;
    output Integer r;
  algorithm
    r := mod(1103515245*s + 12345, 2147483648);
  end next;
  Integer n(start = 12345, fixed = true);
equation
  when sample(0.1, 0.1) then
    n = next(pre(n));
  end when;
  annotation(experiment(StopTime = 1));
end IntegerTooLarge;
