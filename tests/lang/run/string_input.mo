// An input of type String is its start value, or what is given to it, all the time.
//? value n 2 0
//? value m 5 0
//? value k 1 0
model StringInput
  input String a(start = "left");
  input String b = if time > 0.5 then a + "!" else "";
  input String c;
  Integer n = if a == "left" then 2 else 1;
  Integer m = count(b), k = 1 + count(c);
  function count
    input String s;
    output Integer n = if s == "" then 0 elseif s == "left!" then 5 else 9;
  algorithm
  end count;
  annotation(experiment(StopTime = 1));
end StringInput;
