function f
  input Real u;
  output Real y;
protected
  Real a, b;
initial algorithm
  y := 0;
algorithm
  (a, , b) := g(u) "three results";
  y := if a > 0 then a else b;
  while y > 1 loop
    y := y/2;
    if y == 3 then
      break;
    elseif y < 0 then
      return;
    else
      Modelica.Utilities.Streams.print("y = " + String(y, significantDigits = 3));
    end if;
  end while;
  for i in {1, 2, 3} loop
    a[i].b := i;
  end for;
  when y > 2 then
    y := 1;
  elsewhen y > 3 then
    y := 2;
  end when;
  der(y) := 3;
end f;
