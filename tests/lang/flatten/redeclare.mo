// Replaceable components and classes, inner and outer, enumerations, dotted modifications.
package Redeclare
  type Mode = enumeration(off "no", on);
  partial model Law
    input Real u;
    Real y;
  end Law;
  model Linear
    extends Law;
    parameter Real k = 1;
  equation
    y = k*u;
  end Linear;
  model Square
    extends Law;
    parameter Real k = 2;
  equation
    y = k*u^2;
  end Square;
  model World
    parameter Real g = 9.81;
  end World;
  model Part
    outer World world;
    replaceable model L = Linear constrainedby Law;
    L law(u = world.g);
    replaceable Linear other(k = 3) constrainedby Law(u = time);
    parameter Mode mode = Mode.off;
    Real z = if mode == Mode.on then law.y else 0;
  end Part;
  model M
    inner World world(g = 10);
    Part a(mode = Mode.on, law.k = 5);
    Part b[2](redeclare model L = Square(k = 7), redeclare Square other, each mode = Mode.off,
              z(start = {1, 2}));
  end M;
end Redeclare;
//? class Redeclare.M
