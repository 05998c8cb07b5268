// A modification redeclares a type as an enumeration of its own.
//? value chosen 2 0
//? value inside.sum_of_all 6 0
//? value inside.last 3 0
package Parts
  partial package Kinds
    replaceable type Kind = enumeration(:);
  end Kinds;
  model User
    replaceable package P = Kinds;
    parameter P.Kind first;
    Real a[P.Kind] = {Integer(k) for k in P.Kind};
    Real sum_of_all = sum(a);
    Integer last = Integer(max(k for k in P.Kind));
  end User;
end Parts;
model RedeclaredEnumeration
  package Named
    extends Parts.Kinds(redeclare type Kind = enumeration(low, middle, high));
  end Named;
  parameter Named.Kind kind = Named.Kind.middle;
  Real chosen = Integer(kind);
  Parts.User inside(redeclare package P = Named, first = Named.Kind.high);
end RedeclaredEnumeration;
