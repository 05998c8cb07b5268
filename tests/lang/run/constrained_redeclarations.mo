// The constraining clause of a redeclaration modifies what is redeclared, and what is put in its place later.
//? value component.c.y 81 0
//? value class_.k.y 83 0
//? value own.c.y 82 0
//? value again.c.y 81 0
//? value outside.c.y 85 0
//? value element.c.y 61 0
//? value element.k.y 74 0
//? value element_again.c.y 61 0
//? value element_again.k.y 73 0
package Parts
  model A
    parameter Real p = 1;
    parameter Real q = 1;
    Real y = p + 10*q;
  end A;
  model B
    extends A;
  end B;
  model M
    replaceable A c;
    replaceable model K = A constrainedby A(p = 3);
    K k;
  end M;
  model N
    extends M(redeclare replaceable B c(p = 2) constrainedby A(q = 8));
  end N;
  model O
    extends M;
    redeclare replaceable B c constrainedby A(q = 6);
    redeclare replaceable model K = B(p = 4) constrainedby A(q = 7);
  end O;
end Parts;
model Test
  Parts.M component(redeclare replaceable Parts.B c constrainedby Parts.A(q = 8));
  Parts.M class_(redeclare replaceable model K = Parts.B constrainedby Parts.A(q = 8));
  Parts.N own;
  Parts.N again(redeclare Parts.A c);
  Parts.N outside(c(p = 5));
  Parts.O element;
  Parts.O element_again(redeclare Parts.A c, redeclare model K = Parts.A);
end Test;
