// Formats and other options of String, of values that change.
//? value formats 1 0
//? value options 1 0
model StringFormats
  Real x = 2.5*time;
  Integer i = if x > 1 then 5 else 4;
  Integer formats = if String(x, format = "8.2e") == "2.50e+00" and String(i, format = "03d") == "005" then 1 else 0;
  Integer options = if String(x, 3, 6, false) + String(i, 3) + String(i > 4, minimumLength = 5) == "   2.55  true " then 1 else 0;
  annotation(experiment(StopTime = 1));
end StringFormats;
