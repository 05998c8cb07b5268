// The modifications of a first declaration without constraint go to all that is put in its place; those of a redeclaration do not.
//? value class_2.k.y 100 0
//? value class_2.k.z 300 0
//? value class_3.k.y 200 0
//? value class_4.k.z 3 0
//? value class_5.k.y 100 0
//? value class_5.k.z 7 0
//? value class_6.k.y 100 0
//? value class_6.k.z 3 0
//? value component_2.k.z 300 0
//? value component_3.k.y 200 0
//? value component_5.k.z 7 0
//? value component_6.k.y 100 0
//? value component_6.k.z 3 0
package Parts
  model A
    parameter Real r = 1;
    Real y = r;
  end A;
  model B
    extends A;
    parameter Real t = 3;
    Real z = t;
  end B;
  model Class1
    replaceable model K = A(r = 100);
    K k;
  end Class1;
  model Class2
    extends Class1(redeclare replaceable model K = B(t = 300));
  end Class2;
  model Class3
    extends Class2(redeclare replaceable model K = A(r = 200));
  end Class3;
  model Class4
    extends Class2(redeclare model K = B);
  end Class4;
  model Class5
    extends Class1;
    redeclare replaceable model K = B(t = 7);
  end Class5;
  model Class6
    extends Class5(redeclare model K = B);
  end Class6;
  model Component1
    replaceable A k(r = 100);
  end Component1;
  model Component2
    extends Component1(redeclare replaceable B k(t = 300));
  end Component2;
  model Component3
    extends Component2(redeclare replaceable A k(r = 200));
  end Component3;
  model Component5
    extends Component1;
    redeclare replaceable B k(t = 7);
  end Component5;
  model Component6
    extends Component5(redeclare B k);
  end Component6;
end Parts;
model Test
  Parts.Class2 class_2;
  Parts.Class3 class_3;
  Parts.Class4 class_4;
  Parts.Class5 class_5;
  Parts.Class6 class_6;
  Parts.Component2 component_2;
  Parts.Component3 component_3;
  Parts.Component5 component_5;
  Parts.Component6 component_6;
end Test;
