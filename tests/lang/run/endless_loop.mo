// A loop whose statements say nothing new does not end, and is not left out.
//? fails a loop took more than
model EndlessLoop
  Real u, y;
equation
  u = time;
algorithm
  y := u;
  while y < 1 loop
    y := y*1;
  end while;
  annotation(experiment(StopTime = 2));
end EndlessLoop;
