// Values of declarations in functions are those before the first statement, in the order of need.
//? value executed 7 0
//? value inlined 1 1e-12
//? value looped 1 1e-12
//? value backwards 2 1e-12
//? value elements 9 1e-12
model InitialOrder
  function kept
    input Real x;
    output Real y;
  protected
    Real z = w;
    Real w = x;
  algorithm
    w := 5;
    y := z;
  end kept;
  function keptInLoop
    input Real x;
    output Real y;
  protected
    Real z = w;
    Real w = x;
  algorithm
    while w < 1 loop
      w := 5;
    end while;
    y := z;
  end keptInLoop;
  function fromLater
    input Real x;
    output Real y = z;
  protected
    Real z = w;
    Real w = 2*x;
  algorithm
    while w < -1 loop
      w := 5;
    end while;
  end fromLater;
  function elementsFromLater
    input Real x;
    output Real y = a[2, 1] + b[1];
  protected
    Real a[2, 2] = {{x, x}, {b[2], x}};
    Real b[2] = {4*x, 5*x};
  algorithm
    while y < -1 loop
      y := 5;
    end while;
  end elementsFromLater;
  parameter Real executed = kept(7);
  Real inlined = kept(time);
  Real looped = keptInLoop(time);
  Real backwards = fromLater(time);
  Real elements = elementsFromLater(time);
end InitialOrder;
