package P
  model A
    Real x;
  equation
    if x > 1 then
      x = 1;
    else if x > 2 then
      x = 2;
    end if;
  end A;
  model B
    Real y;
  equation
    for i in 1:2 loop
      y = 1;
    end if;
    when y > 1 then
      y = 2;
    end;
end P;
