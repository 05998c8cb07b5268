// Strings that events set keep their text from one to the next; others follow from them.
//? value k 3 0
//? value changes 3 0
//? value y 0 0
//? at 0.5 y 1 0
//? value ok 1 0
//? value named 1 0
//? value step 2 0
//? value empty 1 0
model StringsInWhen
  parameter String first = "idle";
  String s(start=first, fixed=true), shown = "<" + s + ">", said, none;
  Integer k(start=0, fixed=true), changes(start=0, fixed=true), step(start=0, fixed=true);
  Real y = if s == "on" then 1 else 0;
  Boolean ok(start=false, fixed=true), named(start=false, fixed=true), empty = none == "";
equation
  when time > 0.3 then
    s = "on";
  elsewhen time > 0.65 then
    s = "off " + String(k);
  end when;
  when sample(0.1, 0.1) then
    k = pre(k) + (if pre(s) == "on" then 1 else 0);
  end when;
  when change(s) or change(said) then
    changes = pre(changes) + 1;
  end when;
  when time > 0.8 then
    ok = shown == "<off 3>" and pre(s) == s and pre(said) == "two";
  end when;
  when time > 2 then
    none = "never";
  end when;
algorithm
  when initial() then
    said := "one";
  elsewhen time > 0.7 then
    said := "two";
    step := pre(step) + 2;
  end when;
  when time > 0.9 then
    named := said + first == "twoidle";
  end when;
  annotation(experiment(StopTime=1));
end StringsInWhen;
