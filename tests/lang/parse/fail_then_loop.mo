model M
  Real x;
equation
  if x > 1
    x = 2;
  end if;
  when x > 1 do
    x = 3;
  end when;
algorithm
  for i in 1:3
    x := i;
  end for;
  while x > 1 do
    x := 1;
  end while;
end M;
