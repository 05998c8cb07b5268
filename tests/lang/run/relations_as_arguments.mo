// Relations that a function is given make events, although those in the function make none.
//? value n 5 0
//? value single 0.1 1e-9
//? value area 1.5 1e-9
function count
  input Boolean b[:];
  output Integer n;
algorithm
  n := 0;
  for i in 1:size(b, 1) loop
    if b[i] then
      n := n + 1;
    end if;
  end for;
end count;
function oneTrue
  input Boolean b[:];
  output Boolean y = count(b) == 1;
algorithm
end oneTrue;
model M
  Integer n = count({time > 0.1*k for k in 1:5});
  Boolean one = oneTrue({time > 0.1*k for k in 1:5});
  Real single(start = 0, fixed = true);
  Real area(start = 0, fixed = true);
equation
  der(single) = if one then 1 else 0;
  der(area) = n;  // 0.1*(1 + 2 + 3 + 4) + 0.1*5
  annotation(experiment(StopTime = 0.6));
end M;
