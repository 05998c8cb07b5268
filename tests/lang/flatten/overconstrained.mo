// A ring of three frames: one connection is broken, its constraint takes the place of equations.
package Overconstrained
  type Angle
    extends Vector;
    function equalityConstraint
      input Angle a;
      input Angle b;
      output Real residue[1];
    algorithm
      residue := {a[1] * b[2] - a[2] * b[1]};
    end equalityConstraint;
  end Angle;
  type Vector = Real[2];
  connector Frame
    Angle R;
    flow Real t;
  end Frame;
  model Bar
    Frame a;
    Frame b;
    Boolean root = Connections.isRoot(a.R);
  equation
    Connections.branch(a.R, b.R);
    a.R = b.R;
    a.t + b.t = 0;
  end Bar;
  model Fix
    Frame a;
  equation
    Connections.root(a.R);
    a.R = {1, 0};
  end Fix;
  model M
    Fix fix;
    Bar x;
    Bar y;
  equation
    connect(fix.a, x.a);
    connect(x.b, y.a);
    connect(y.b, fix.a);
  end M;
end Overconstrained;
//? class Overconstrained.M
