// Algorithm sections: unrolled loops, when, assignments that read what they write.
model Algorithm
  Real x[3], s, p;
  Integer k(start = 1, fixed = true);
initial equation
  s = 0;
algorithm
  x := {time, 2*time, 3};
  x := x[{3, 1, 2}];
  for i in 1:3 loop
    if i > 1 then
      x[i] := x[i] + x[i - 1];
    end if;
  end for;
  p := x[k];
  when sample(1, 1) then
    k := 1 + mod(pre(k), 3);
  end when;
equation
  der(s) = p;
end Algorithm;
