// A String variable in a message. At the instant of an event it is what it is after it.
//? fails part: too late: high b (limit 3) a.part
model Part
  String name;
  Real x;
equation
  assert(x < 0.5, name);
end Part;
model M
  parameter Real limit = 3;
  String level = if time >= 0.5 then "high" else "low", s, names[2] = {"a", "b"};
  String more = s + " (limit " + String(limit) + ")";
  Real y = if level == "high" then 1 else 0;
  Part part(x = time, name = "too late: " + more + " " + names[1] + ".part");
equation
  s = level + " " + names[2];
  annotation(experiment(StopTime = 1));
end M;
