// Whole numbers that an algorithm changes as it goes, and what mod, div and rem make of them.
//? value n 9 0
//? value c 3 0
//? value d 4 0
//? value r -1 0
model ModOfRunningIntegers
  Integer n, c, d, r;
  Real v[4] = {1, 2, 3, 4};
algorithm
  n := 1;
  c := 0;
  if time > 0.1 then
    for i in 1:5 loop
      n := mod(3*n + 2, 17);
    end for;
    c := integer(v[mod(n + n, 4) + 1]);
  end if;
  d := div(n, 2);
  r := rem(-n, 2);
end ModOfRunningIntegers;
