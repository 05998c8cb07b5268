// Vectors in functions whose length is known only when the function runs: slices on both sides, fill, zeros, ones, linspace, ranges,
// reductions and scalar products of them, also in conditions. What is assigned is what it was before the assignment.
//? value s 10 0
//? at 0.25 s 3 0
//? value r[1] 3 0
//? value r[3] 1 0
//? value r[4] 10 0
//? value r[5] 10 0
//? value t[1] 1 0
//? value t[2] 1 0
//? value t[4] 3 0
//? value t[5] 5 0
//? at 0.25 t[4] 4 0
//? value w[2] 2.5 1e-12
//? value w[4] 7 0
//? value w[5] 5 0
//? value y 126.5 1e-9
//? value z 443 1e-9
//? value m 3 0
//? value q 52 0
//? value u[1] 1 0
//? value u[3] 9 0
//? value u[4] 4 0
//? value e 0 0
//? value odd 4 0
package Functions
  function total
    input Real a[:];
    input Integer n;
    output Real s = sum(a[1:n + 1]);
  algorithm
  end total;
  function reversed
    input Real u[:];
    input Integer n;
    output Real a[size(u, 1)];
  algorithm
    a := u;
    a[1:n] := a[n:-1:1];
    a[n + 1:end] := fill(10, size(a, 1) - n);
  end reversed;
  function shifted
    input Real u[:];
    input Integer n;
    output Real a[size(u, 1)] = u;
  algorithm
    a[2:n + 1] := a[1:n];
  end shifted;
  function filled
    input Real u[:];
    input Real x;
    input Integer n;
    output Real a[size(u, 1)] = u;
  algorithm
    a[1:n] := if x > 0 then linspace(0, x, n) else zeros(n);
    a[n + 1:n + 1] := x*ones(n - 2) + {i + 1 for i in 1:n - 2};
  end filled;
  function numbers
    input Real a[:];
    input Integer n;
    output Real y;
  algorithm
    y := sum(ones(n)) + a[1:n]*a[2:n + 1] + sum(abs(-a[1:n])) + max(a[2:n]) - min(a[i]/2 for i in n:5) + product(a[1:n + 1])*(n + 1);
  end numbers;
  function matrix
    input Real A[:, :];
    input Integer n;
    output Real s = 0;
  protected
    Real B[size(A, 1), size(A, 2)];
  algorithm
    B := zeros(size(A, 1), size(A, 2));
    B[1:n, 2] := A[2, 1:n];
    B[n, :] := A[:, n];
    for i in 1:size(A, 1) loop
      s := s + B[i, :]*{10*i + j for j in 1:size(A, 2)};
    end for;
  end matrix;
  function filling "how many elements fit"
    input Real a[:];
    input Real limit;
    output Integer n = 0;
  algorithm
    while n < size(a, 1) and sum(a[1:n]) < limit loop
      n := n + 1;
    end while;
  end filling;
  function squares
    input Real a[:];
    output Real s = 0;
  protected
    Real b[size(a, 1)] = a;
  algorithm
    for e in a[2:end] loop
      s := s + e;
    end for;
    for e in b loop
      b := zeros(size(b, 1));
      s := s + e^2 - e;
      if e > 4 then
        break;
      end if;
      s := s - (if e < 2 then 1 else 0);
    end for;
    for e in {E.c, E.a} loop
      s := s + Integer(e) - 2;
    end for;
    for e in Boolean loop
      s := s + (if e then 0 else -1);
    end for;
  end squares;
  function every_second
    input Real a[:];
    input Integer n;
    output Real s = 0;
  protected
    Real b[size(a, 1)] = a;
  algorithm
    for e in b[1:2:n] loop
      b[1:n] := zeros(n);
      s := s + e;
    end for;
  end every_second;
  type E = enumeration(a, b, c);
end Functions;
model RunTimeVectors
  import Functions.*;
  Integer n = if time > 0.5 then 3 else 1;
  Real x = 5*time, a[5] = {1, 2, 3, 4, 5};
  Real s = total(a, n), r[5] = reversed(a, max(n, 3)), t[5] = shifted(a, n), w[5] = filled(a, x, 3), y = numbers(a, n + 0);
  Real z = matrix([1, 2, 3; 4, 5, 6; 7, 8, 0], n), q = squares(a), u[5], e = if n > 10 then total(a, n + 5) else 0;
  Real odd = every_second(a, n);
  Integer m = filling({1, 2, 3, 4, n - n}, n + 2);
algorithm
  u := a;
  u[1:n] := {i^2 for i in 1:n};
  annotation(experiment(StopTime = 1, Interval = 0.25));
end RunTimeVectors;
