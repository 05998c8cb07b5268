// A loop that is unrolled in vain becomes a function: what its first turn has made is not missed.
// What is assigned only where no one comes has its start value.
//? value x 3.25 1e-12
//? value count 3 0
//? value sum 9 1e-12
//? value never 7 0
//? value nowhere[2] 0 0
//? value kept 3 0
//? value itself 4 0
//? value first 1 0
//? value behind 5 0
model LoopTakenBack
  Real x, v[4], sum;
  Integer count, never(start = 7), nowhere[2], kept, itself(start = 4), first, behind(start = 5);
  constant Boolean isLong = false;
algorithm
  when terminal() then
    v := {1, 2, 3, 4};
    x := time;
    count := 0;
    for i in 1:3 loop
      v[mod(count, 4) + 1] := i;
      if x > 5 then
        x := 0;
      elseif x < 4 then
        while x < i and count < 4 loop
          count := count + 1;
          x := x + 0.75*count/count;
        end while;
      end if;
    end for;
    sum := v[2] + v[3] + v[4];
  end when;
algorithm
  kept := 3;
  itself := itself;
  for i in 1:3 loop
    first := i;
    break;
    behind := i;
    while behind < time loop
      behind := behind + 1;
      first := first + behind;
    end while;
  end for;
  if isLong then
    never := 1;
    for i in 1:2 loop
      nowhere[i] := 1;
    end for;
    kept := 4;
  end if;
end LoopTakenBack;
