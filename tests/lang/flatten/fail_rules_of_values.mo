// Elements and bases that a kind of class cannot have; protected elements; variability.
package Fail
  package P
    Real x = 1;
  end P;
  record R
    Real x;
  equation
    x = 1;
  end R;
  connector C
  protected
    Real x;
  end C;
  function f
    input Real u;
    output Real y;
    Real z;
  algorithm
    y := u;
  end f;
  partial function g
    input Real u;
    output Real y;
  end g;
  type E = enumeration(a, b, a);
  block B
    extends Q;
  end B;
  model Q
  protected
    parameter Real p = 1;
  end Q;
  model M
    R r;
    C c;
    Real x = P.x;
    Real y = f(1);
    E e = E.a;
    B b;
    Q q(p = 2);
    Q s;
    Real w = s.p;
    Real v = g(1);
    parameter Real varying = w;
  end M;
  model N
    Q s;
    Real w = s.p;
    Real x = P.x;
    Real y = f(1);
    Real v = g(1);
    parameter Real varying = w;
  end N;
end Fail;
//? class Fail.N
