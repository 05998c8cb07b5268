// A comparison with what is not a number takes neither branch: the run ends there, in every program that asks.
//? at 0.4 y 1 0
//? fails y
model NanInNoEvent
  Real q = 0.5 - time;
  Real y = noEvent(if sqrt(q) > 0.1 then 1 else 2);
  annotation(experiment(StopTime = 1));
end NanInNoEvent;
