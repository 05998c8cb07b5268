// A subscript in a function names the variable, the function and the place of the statement.
//? fails 'a' in function 'M.f' [function_subscript_out_of_range.mo:15:7]: subscript 5 is not in 1 .. 4
model M
  function f
    input Integer i;
    output Real y;
  protected
    Real a[4];
  algorithm
    for k in 1:4 loop
      a[k] := k;
    end for;
    y := 0;
    while y <= 0 loop
      y := a[i];
    end while;
  end f;
  Real y = f(1 + integer(8*time));
  annotation(experiment(StopTime = 1));
end M;
