//? bases A
//? bases B
//? bases C
//? bases Self
//? bases Alias
//? find x in A
//? bases Outer
//? find x in Outer.In
model A
  extends B;
end A;
model B
  extends C;
end B;
model C
  extends A;
  Real x;
end C;
model Self
  extends Self;
end Self;
model Alias = Alias;
package Outer
  extends Outer.In;
  package In
    extends Outer;
  end In;
end Outer;
