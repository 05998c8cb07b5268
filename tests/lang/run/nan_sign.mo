// The sign of what is not a number is none.
//? fails y
model NanSign
  Real y = noEvent(sign(sqrt(0.5 - time)));
  annotation(experiment(StopTime = 1));
end NanSign;
