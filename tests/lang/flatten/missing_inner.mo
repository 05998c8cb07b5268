// An outer component without an inner one: it is added, with a warning.
package MissingInner
  model World
    parameter Real g = 9.81;
    Real angle = time;
  end World;
  model Body
    outer World world;
    Real v(start = 0, fixed = true);
  equation
    der(v) = -world.g;
  end Body;
  model Two
    Body a;
    Body b;
  end Two;
end MissingInner;
//? class MissingInner.Two
