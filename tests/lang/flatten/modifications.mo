// The outermost modification counts; the inner ones stay where it says nothing.
package Modifications
  type Length = Real(unit = "m", min = 0);
  model A
    parameter Real p = 1;
    parameter Real q = 2 * p;
    Length l(start = 3) = p;
  end A;
  model B
    A a(p = 10, l(start = 4, nominal = 100));
    parameter Real r = a.p;
  end B;
  model C
    extends B(a(p = 20, l(min = -1)));
  end C;
  model M
    C c(a.l.start = 5, r = 7);
    B b[2](a(p = {1, 2}), each a.q = 0);
    A plain(final q = 4);
  end M;
end Modifications;
//? class Modifications.M
