// The logarithm of a negative number is not smaller than 0.
//? fails 'y' is not finite
model LargestOfNoNumber
  Real y = max(log(time - 2), 0) + min(3, time);
  annotation(experiment(StopTime = 1));
end LargestOfNoNumber;
