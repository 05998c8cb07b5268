package Fail
  connector A
    Real v;
    flow Real i;
  end A;
  connector B
    flow Real v;
    Real i;
  end B;
  connector C
    Real v;
    flow Real j;
  end C;
  model M
    A a;
    B b;
    C c;
    A d[2];
    Real x = 1;
  equation
    connect(a, b);
    connect(a, c);
    connect(a, d);
    connect(a, x);
  end M;
end Fail;
//? class Fail.M
