// Local variables of functions that have a value by declaration and are assigned by statements: the declared value is that of the start, in subscripts, ranges and sizes of statements, too.
//? value v[1] 1 0
//? value v[2] 2 0
//? value v[3] 3 0
//? value steps 112 0
//? value largest 303 0
//? value matrix 8 0
//? value ranges 6 0
//? value sized 4 0
model M
  function copied
    input Real a[3];
    output Real v[3];
  protected
    Integer k = 1;
    Real largest = -1;
  algorithm
    v := fill(0, 3);
    for i in 1:3 loop
      if a[i] > largest then
        largest := a[i];
      end if;
      v[k] := a[i];
      k := k + 1;
    end for;
  end copied;
  function in_steps
    input Real a[3];
    output Real s;
  protected
    Integer k = 1;
  algorithm
    s := a[k];
    k := k + 0;
    s := s*10 + a[k];
    if a[1] > 0 then
      k := 2;
    end if;
    s := s*10 + a[k];
  end in_steps;
  function place_of_largest
    input Real a[:];
    output Real s;
  protected
    Integer k = 1;
  algorithm
    for i in 2:size(a, 1) loop
      if a[i] > a[k] then
        k := i;
      end if;
    end for;
    s := a[k] + 100*k;
  end place_of_largest;
  function of_row
    input Real a[3, 3];
    output Real s;
  protected
    Integer k = 1;
  algorithm
    for i in 1:3 loop
      if a[i, 1] > 1.5 then
        k := i;
      end if;
    end for;
    s := a[k, 2];
  end of_row;
  function sum_of_first
    input Real a[3];
    output Real s = 0;
  protected
    Integer n = 1;
    Boolean found = false;
  algorithm
    if a[1] > 0 then
      n := 3;
      found := true;
    end if;
    for i in 1:n loop
      s := s + a[i];
    end for;
    s := if found then s else -1;
  end sum_of_first;
  function with_size
    input Real a;
    output Real s;
  protected
    Integer n = 4;
    Integer m = n;
    Real w[n];
  algorithm
    n := if a > 0 then 2 else 1;
    w := fill(1, m);
    s := sum(w);
  end with_size;
  Real a[3] = {time, 2*time, 3*time};
  Real v[3] = copied(a);
  Real steps = in_steps(a);
  Real largest = place_of_largest(a);
  Real matrix = of_row({{time, 2, 3}, {2*time, 5, 6}, {3*time, 8, 9}});
  Real ranges = sum_of_first(a);
  Real sized = with_size(time);
  annotation (experiment(StopTime = 1));
end M;
