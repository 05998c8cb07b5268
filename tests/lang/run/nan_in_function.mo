// A function whose condition is NaN has no result, and says why.
//? at 0.4 y 1 0
//? fails a condition in function 'Pick' compares what is not a number
function Pick
  input Real q;
  output Real y;
algorithm
  if not sqrt(q) <= 0.1 then
    y := 1;
  else
    y := 2;
  end if;
end Pick;
model NanInFunction
  Real y = Pick(0.5 - time);
  annotation(experiment(StopTime = 1));
end NanInFunction;
