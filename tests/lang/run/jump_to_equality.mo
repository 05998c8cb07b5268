// A jump that ends exactly on the switching point: what holds there counts, not that the point was reached.
//? at 0.75 above 0 0
//? at 0.75 not_below 1 0
//? at 0.75 whole 0 0
//? value above 1 0
//? value whole 1 0
model JumpToEquality
  Real level, y;
  Boolean above, not_below;
  Integer whole;
equation
  level = if time < 0.5 then -1 elseif time < 0.8 then 0 else 1;
  y = level + noEvent(if time < 0 then time else 0);
  above = y > 0;
  not_below = y >= 0;
  whole = integer(y);
  annotation (experiment(StopTime=1));
end JumpToEquality;
