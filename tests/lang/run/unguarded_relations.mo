// Two relations that are NaN do not excuse each other.
//? fails the condition of event 'sqrt(z) > 0.5' is NaN
model UnguardedRelations
  Real z(start = 1, fixed = true), y;
equation
  der(z) = -1;
  y = if sqrt(z) > 0.5 and sqrt(z) > 0.6 then 1 else 0;
  annotation(experiment(StopTime = 6));
end UnguardedRelations;
