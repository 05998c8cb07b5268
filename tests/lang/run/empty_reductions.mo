// Sums and products of no Integers are Integers; the largest of none is the least of its type.
//? value a 0 0
//? value b 1 0
//? value c 0 0
//? value d 1 0
//? value e 2 0
//? value f -2147483648 0
//? value g 1.7976931348623157e308 0
//? value h 3 0
//? value k 1 0
model EmptyReductions
  type Size = enumeration(small, medium, large);
  parameter Integer n[0];
  parameter Size sizes[0];
  parameter Boolean switches[0];
  Integer a = sum(n);
  Integer b = product(n);
  Integer c = sum(i for i in 1:0);
  Integer d = product(2*i for i in 1:0);
  Integer e = sum(n[i] for i in 1:0) + 2;
  Integer f = max(n);
  Real g = min(x for x in zeros(0));
  Integer h = Integer(min(sizes));
  Boolean k = min(switches);
end EmptyReductions;
