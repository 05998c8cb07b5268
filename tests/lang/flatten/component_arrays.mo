// Arrays of components, their modifications, slices and sums.
package ComponentArrays
  model Part
    parameter Real k = 1;
    Real x(start = k);
  equation
    der(x) = -k * x;
  end Part;
  model M
    parameter Integer n = 2;
    Part p[n](k = {10, 20});
    Part q[2, 2](each k = 3, x(start = [1, 2; 3, 4]));
    Part none[0];
    Real total = sum(p.x) + sum(none.x);
    Real row[2] = q[2, :].x;
    Real last = p[end].x;
  end M;
end ComponentArrays;
//? class ComponentArrays.M
