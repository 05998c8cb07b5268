// Arguments have the sizes that the inputs of a function are declared with.

function three
  input Real v[3];
  output Real w[3];
algorithm
  for i in 1:3 loop
    w[i] := 2 * v[i];
  end for;
end three;

function product2
  input Real a[2];
  input Real b[size(a, 1)];
  output Real c;
algorithm
  c := a[1] * b[2] - a[2] * b[1];
end product2;

function agreeing
  input Real n[:];
  input Real m[size(n, 1)];
  input Real[size(n, 1), 2] k = zeros(size(n, 1), 2);
  output Real y = n * m + sum(k);
algorithm
end agreeing;

function counted
  input Integer n;
  input Real x[n];
  output Real y;
algorithm
  y := sum(x);
end counted;

type E = enumeration(a, b);
function table
  input Real t[E];
  input E e;
  output Real y = t[e];
algorithm
end table;

model BadTooMany
  Real a[4] = {1, 2, 3, time};
  Real b[3] = three(a);
end BadTooMany;

model BadTooFew
  Real b[3] = three({1, time});
end BadTooFew;

model BadLiterals
  parameter Real b[3] = three({1, 2});
end BadLiterals;

model BadScalar
  Real b[3] = three(time);
end BadScalar;

model BadTwo
  Real r[3] = {1, 2, 3}, f[3] = {4, 5, 6 * time};
  Real z = product2(r, f);
end BadTwo;

model BadSecond
  Real z = product2({1, time}, b = {1, 2, 3});
end BadSecond;

model BadAgreement
  Real z = agreeing({1, time}, {1, 2, 3});
end BadAgreement;

model BadColumns
  Real z = agreeing({1, time}, {1, 2}, [1, 2, 3; 4, 5, 6]);
end BadColumns;

model BadCount
  Real z = counted(3, {1, time});
end BadCount;

model BadTable
  Real z = table({1, 2, time}, E.a);
end BadTable;

model BadInFunction
  function twice
    input Real x[2];
    output Real y[3] = three(x);
  algorithm
  end twice;
  Real z[3] = twice({1, time});
end BadInFunction;

model GoodSizes
  parameter Integer n = 2;
  Real a[3] = three({1, 2, time});
  Real b = agreeing({1, time}, {1, 2}) + agreeing({time}, {1}, [1, 2]) + agreeing(zeros(0), zeros(0));
  Real c = counted(n, {1, time});
  Real d[2, 3] = three([1, 2, time; 4, 5, 6]);
  Real e = table({1, time}, E.b);
  Real f[2] = product2({{1, 2}, {3, time}}, {1, 2});
end GoodSizes;
