// A relation in a loop begins with what the start values say: s > 0. Where it is false there is no solution.
model relation_by_guess
  Real s(start = 3);
  Real q;
  Real x(start = 0, fixed = true);
//? value s 2 1e-12
//? value q 4 1e-12
equation
  q = s^2;
  (if s > 0 then s*q - 8 else q + 1) = 0;
  der(x) = s;
  annotation(experiment(StopTime = 1));
end relation_by_guess;
