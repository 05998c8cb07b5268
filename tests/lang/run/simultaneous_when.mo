// A Real that a when-clause sets, in a loop with equations that always hold: solved together at
// the event; between events it is kept.
//? at 0.1 y 3 1e-9
//? at 0.1 x 2 1e-9
//? at 0.3 y 2.8 1e-9
//? at 0.3 x 2.2 1e-9
//? value y 2.2 1e-9
//? value x 2.8 1e-9
//? value b 2 1e-6
//? value c 4 1e-6
model SimultaneousWhen
  Real x, y;
  Real b, c;
equation
  when sample(0, 0.2) then
    y = 7 - 2*x + time;
  end when;
  x + y = 5;
  when time > 0.5 then
    b = 6 - c;
    c = 2*b;
  end when;
  annotation(experiment(StopTime = 0.9, Interval = 0.1));
end SimultaneousWhen;
