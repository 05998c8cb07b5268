// Flows add up to zero inside and outside; a connector that nobody connects carries nothing.
package FlowSums
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Leaf
    Pin p;
  equation
    p.v = p.i;
  end Leaf;
  model Group
    Pin p;
    Pin free;
    Leaf a;
    Leaf b;
  equation
    connect(p, a.p);
    connect(p, b.p);
    free.v = 0;
  end Group;
  model M
    Group g;
    Leaf c;
  equation
    connect(g.p, c.p);
  end M;
end FlowSums;
//? class FlowSums.M
