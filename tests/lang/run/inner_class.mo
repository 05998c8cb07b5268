// An outer class is the inner one around it.
//? value e.d.y 1 0
//? value f.d.y 2 0
//? value f.d.part.z 5 0
partial function A
  input Real u;
  output Real y;
end A;
function B
  extends A;
algorithm
  y := u;
end B;
function C
  extends A;
algorithm
  y := u + 1;
end C;
model Part
  Real z = 3;
end Part;
model D
  outer function fc = A;
  outer model P = Part;
  P part;
  Real y = fc(1);
end D;
model E
  inner function fc = B;
  inner model P = Part;
  D d;
end E;
model F
  inner function fc = C;
  inner model P
    Real z = 5;
  end P;
  D d;
end F;
model M
  E e;
  F f;
  annotation(experiment(StopTime = 1));
end M;
