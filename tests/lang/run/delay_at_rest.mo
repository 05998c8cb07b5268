// A delayed signal that rests on a whole number is that number, to the last bit: its integer part
// changes with the signal and not between. The other state makes points at
// uneven distances.
//? value changes 14 0
//? value k 3 0
//? at 1.9 k 2 0
model delay_at_rest
  discrete Real x(start = 1, fixed = true);
  Integer k;
  Integer changes(start = 0, fixed = true);
  Real y(start = 0, fixed = true);
equation
  when sample(0.1, 0.37) then
    x = if pre(x) < 4 then pre(x) + 1 else 1;
  end when;
  k = integer(delay(x, 0.05));
  when change(k) then
    changes = pre(changes) + 1;
  end when;
  der(y) = 10*cos(20*time);
  annotation(experiment(StopTime = 5));
end delay_at_rest;
