// So does an assignment to an element that is not there.
//? fails assertion failed: part: subscript 4 of the array that is assigned is not in 1 .. 3 [assigned_out_of_range.mo:9:5]
model Part
  discrete Real a[3];
  Integer i(start = 0, fixed = true);
algorithm
  when sample(0, 0.25) then
    i := pre(i) + 1;
    a[i] := time;
  end when;
end Part;
model M
  Part part;
  annotation(experiment(StopTime = 1));
end M;
