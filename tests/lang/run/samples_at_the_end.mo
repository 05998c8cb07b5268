// Samples that miss the end of the run by rounding are part of it.
//? value n 3 0
//? value k 4 0
model SamplesAtTheEnd
  Integer n(start = 0, fixed = true), k(start = 0, fixed = true);
equation
  when sample(0.1, 0.1) then
    n = pre(n) + 1;
  end when;
  when sample(0, 0.1) then
    k = pre(k) + 1;
  end when;
  annotation(experiment(StopTime = 0.3));
end SamplesAtTheEnd;
