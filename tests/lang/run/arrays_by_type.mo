// Modifications of a class that is an array are those of its elements, one by one or the same for all.
//? value a 2 0
//? value b 3 0
//? value c 7 0
//? value s 9 0
//? value e 6 0
//? value same 10 0
//? value t[2] 2 0
//? value u[2,1] 3 0
//? value w[3,2] 2 0
package Parts
  model A
    parameter Real p = 1;
    Real y = p;
  end A;
  model Two = A[2](p = {1, 2});
  model Three = Two[3];
  model Rows = Two[2](p = {{3, 4}, {5, 6}});
  model Same = A[2](p = 5);
  type Pair = Real[2](start = {1, 2}, each fixed = true);
end Parts;
model ArraysByType
  Parts.Two v;
  Parts.Two modified(p = {3, 4});
  Parts.Two array[2](p = {{5, 6}, {7, 8}});
  Parts.Three three;
  Parts.Rows rows;
  Parts.Same equal;
  Parts.Pair t;
  Parts.Pair u[2](each start = {3, 4});
  Parts.Pair w[3];
  Real a = v[2].y;
  Real b = modified[1].y;
  Real c = array[2, 1].y;
  Real s = sum(three.y);
  Real e = rows[2, 2].y;
  Real same = sum(equal.y);
equation
  der(t) = zeros(2);
  der(u) = zeros(2, 2);
  der(w) = zeros(3, 2);
end ArraysByType;
