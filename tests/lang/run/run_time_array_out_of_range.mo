//? fails 'w' in function 'RunTimeArrayOutOfRange.f' [run_time_array_out_of_range.mo:14:7]: subscript 4 is not in 1 .. 3
model RunTimeArrayOutOfRange
  function f
    input Integer n;
    input Real x;
    output Real s;
  protected
    Real w[n];
    Integer i = 1;
  algorithm
    w[1] := x;
    while w[i] > 0 loop
      i := i + 1;
      w[i] := x;
    end while;
    s := w[n];
  end f;
  Real s = f(if time > 0.5 then 3 else 2, if time > 0.6 then 1 else 0);
  annotation(experiment(StopTime = 1));
end RunTimeArrayOutOfRange;
