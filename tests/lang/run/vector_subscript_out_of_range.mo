// One position of several is not there: the run ends with the reference as it stands in the text.
//? fails row: v[p] [vector_subscript_out_of_range.mo:8:19]: subscript 4 is not in 1 .. 3
model VectorSubscriptOutOfRange
  model Row
    input Integer p[2];
    Real v[3] = {1, 2, 3}*time, w[2];
  equation
    w = {1, 2} .* v[p];
  end Row;
  Row row(p = {1, if time > 0.5 then 4 else 2});
  annotation(experiment(StopTime = 1));
end VectorSubscriptOutOfRange;
