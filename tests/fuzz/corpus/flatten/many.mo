package P
  type E = enumeration(one, two);
  record R
    Real x;
    Integer n = 2;
  end R;
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  expandable connector Bus
  end Bus;
  function f
    input Real u[:];
    input Integer k = 1;
    output Real y;
    output R r;
  protected
    Real w[size(u, 1)] = 2 * u;
  algorithm
    y := 0;
    for i in 1:size(u, 1) loop
      if w[i] > 1 then
        y := y + w[i];
      else
        break;
      end if;
    end for;
    while y > 10 loop
      y := y / 2;
    end while;
    r := R(y, k);
  end f;
  partial model Two
    replaceable Pin p;
    Pin n;
  end Two;
  model Resistor
    extends Two;
    parameter Real R = 1;
  equation
    R * p.i = p.v - n.v;
    p.i + n.i = 0;
  end Resistor;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model M
    inner parameter Integer n = 3;
    Resistor r[n](R = {1, 2, 3}, each p.v(start = 0));
    Ground g if n > 2;
    Bus bus;
    outer Real nothing = 1;
    R rec(x = time);
    Real x(start = 1, fixed = true, unit = "m");
    discrete Real d(start = 0);
    Boolean b;
    E e = if b then E.one else E.two;
    Real s = sum(r.R) + product({i for i in 1:n});
    Real z[2, 2] = [1, 2; 3, 4] * transpose([x, 0; 0, x]);
    Real a;
    R q;
  initial equation
    pre(d) = 1;
  equation
    for i in 1:n - 1 loop
      connect(r[i].n, r[i + 1].p);
    end for;
    connect(g.p, r[n].n);
    r[1].p.v = sin(time);
    der(x) = -x;
    b = x < 0.5;
    (a, q) = f({x, 1, 2}, n);
    when {b, sample(0, 0.1)} then
      d = pre(d) + 1;
      reinit(x, 1);
    elsewhen time > 3 then
      d = 0;
    end when;
    if n > 2 then
      assert(x > -1, "low");
    end if;
  algorithm
    when initial() then
      terminate("end");
    end when;
    annotation(experiment(StopTime = 1));
  end M;
end P;

model Top
  extends P.M(n = 3);
end Top;
