// Components that are not there take their connections with them.
package Conditional
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model M
    parameter Boolean grounded = false;
    Pin a;
    Ground g if grounded;
    Ground h if not grounded;
  equation
    connect(a, g.p);
    connect(a, h.p);
  end M;
end Conditional;
//? class Conditional.M
