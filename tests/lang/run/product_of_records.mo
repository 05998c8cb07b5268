// Matrices of operator records have the product of matrices, from that of their elements.
//? value y[1].re 2 1e-12
//? value y[1].im 1 1e-12
//? value y[2].re 1 1e-12
//? value y[2].im -1 1e-12
//? value z[1,2].a 22 1e-12
//? value z[2,1].a 43 1e-12
//? value t[1,2].a 3 0
//? value s.a 10 0
//? value v[2].a 6 0
//? value x[1].re 1 1e-9
//? value x[2].im 2 1e-9
operator record C
  Real re;
  Real im;
  operator function '*'
    input C a;
    input C b;
    output C c;
  algorithm
    c := C(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
  end '*';
  operator function '+'
    input C a;
    input C b;
    output C c;
  algorithm
    c := C(a.re + b.re, a.im + b.im);
  end '+';
end C;
operator record N
  Real a;
  operator function '*'
    input N p;
    input N q;
    output N r;
  algorithm
    r := N(p.a*q.a);
  end '*';
  operator function '+'
    input N p;
    input N q;
    output N r;
  algorithm
    r := N(p.a + q.a);
  end '+';
end N;
model ProductOfRecords
  C a[2,2] = {{C(1, 0), C(0, 1)}, {C(2, 0), C(0, -1)}};
  C b[2] = {C(1, 0), C(1, -1)};
  C y[2] = a*b;
  N p[2,2] = {{N(1), N(2)}, {N(3), N(4)}};
  N q[2,2] = {{N(5), N(6)}, {N(7), N(8)}};
  N z[2,2] = p*q;
  N t[2,2] = transpose(p);
  N v[2] = vector(q[1:1,:]);
  N s = sum(p) "of all elements";
  C x[2] "a*x = a*{1, 2i}";
equation
  a*x = a*{C(1, 0), C(0, 2)};
end ProductOfRecords;
