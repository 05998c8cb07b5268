// A String variable stands for what its equation says, wherever it is used.
//? value y 4 0
//? value z 3 0
//? value area 4 1e-9
function length
  input String s;
  output Integer n;
algorithm
  n := if s == "high" then 4 else 3;
end length;
model M
  parameter Real limit = 3;
  String level = if x > 1 then "high" else "low", s, names[2] = {"a", "b"};
  String more = s + " (limit " + String(limit) + ")";
  Real x(start = 0, fixed = true), area(start = 0, fixed = true);
  Integer y = length(level);
  Boolean is_high = level == "high";
  Integer z = length(more);
equation
  der(x) = 1;
  der(area) = if is_high then 1 else 3;
  s = level + " " + names[2];
  annotation(experiment(StopTime = 2));
end M;
