// E(i): the literal number i, known before the run or not.
//? value y 100003 0
//? value z 2001 0
model EnumerationFromInteger
  type E = enumeration(a, b, c);
  function f
    input E last;
    input Real x;
    output Real y = 0;
  protected
    Real w[E] = {1, x, 100};
    E k = E.a;
  algorithm
    while k < last loop
      y := y + w[k];
      k := E(Integer(k) + 1);
    end while;
    y := y + 1000*w[k];
  end f;
  Integer n = if time > 0.5 then 3 else 2;
  Real y = f(E(n), 2), z = f(E(2), 2 + 0*y);
  annotation(experiment(StopTime = 1));
end EnumerationFromInteger;
