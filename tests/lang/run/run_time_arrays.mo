// Local arrays of functions whose sizes are known only when the function runs: elements, slices, whole vectors, reductions, matrices,
// Integers and Booleans, values of declarations, as arguments, in recursion; their derivatives.
//? value s 6 1e-12
//? at 0.25 s 0.75 1e-12
//? value w 25 1e-12
//? value m 295 1e-12
//? value p 31 0
//? value r 120 0
//? value q 10 1e-12
//? value d 6 1e-9
//? value y 1.5 1e-9
//? value t 14 1e-12
//? value e 1 0
//? value f 23 1e-12
package Functions
  function total
    input Integer n;
    input Real x;
    output Real s = 0;
  protected
    Real w[n];
  algorithm
    for i in 1:n loop
      w[i] := i*x;
    end for;
    for i in n:-1:1 loop
      s := s + w[i];
    end for;
  end total;
  function whole
    input Integer n;
    input Real x;
    output Real s;
  protected
    Integer m = n + 1;
    Real w[m] = fill(x, m), v[size(w, 1)];
  algorithm
    m := 77;
    v := w;
    v[2:end] := 2*w[2:end];
    v[end:-1:1] := v;
    w := v + w;
    w[1:end - 1] := w[2:end];
    s := sum(w) + v[end] + v*w + max(w[1:2]) - product(ones(size(v, 1))) - 2*n;
  end whole;
  function matrix
    input Integer n;
    input Real x;
    output Real s = 0;
  protected
    Real A[n, n + 1], row[n + 1];
    Boolean first[n];
    Integer order[n];
  algorithm
    for i in 1:n loop
      for k in 1:n + 1 loop
        A[i, k] := (10*i + k)*x;
      end for;
      first[i] := i == 1;
      order[i] := n + 1 - i;
    end for;
    row := A[n, :];
    for i in 1:n loop
      if not first[i] then
        s := s + A[order[i], i] + size(A, 2)*row[i];
      end if;
    end for;
  end matrix;
  function largest_prime
    input Integer n;
    output Integer p = 1;
  protected
    Boolean struck[n];
  algorithm
    for i in 2:n loop
      if not struck[i] then
        p := i;
        for j in 2*i:i:n loop
          struck[j] := true;
        end for;
      end if;
    end for;
  end largest_prime;
  function factorial
    input Integer n;
    output Integer r;
  protected
    Integer w[n];
  algorithm
    for i in 1:n loop
      w[i] := i;
    end for;
    r := if n <= 1 then 1 else factorial(n - 1)*w[n];
  end factorial;
  function norm
    input Real u[:];
    output Real s = 0;
  algorithm
    for e in u loop
      s := s + e^2;
    end for;
    for i in 1:size(u, 1) loop
      s := s + sum(u[1:i])*0;
    end for;
  end norm;
  function norm_of_ramp
    input Integer n;
    input Real x;
    output Real s;
  protected
    Real w[n] = {i*x for i in 1:n};
  algorithm
    s := norm(w);
  end norm_of_ramp;
  function powers
    input Integer n;
    input Real x;
    output Real y;
  protected
    Real c[n];
  algorithm
    c[1] := x;
    for i in 2:n loop
      c[i] := c[i - 1]*x;
    end for;
    y := sum(c);
  end powers;
  function filled
    input Integer n;
    input Real x;
    output Real s = 0;
  protected
    Real A[n, n + 1] = ones(n, n + 1), B[n, 2];
  algorithm
    A[1, 1] := 2*x;
    B := fill(A[1, 1], n, 2);
    for i in 1:n loop
      s := s + sum(A[i, :]) + sum(B[i, :]);
    end for;
    A := zeros(size(A, 1), size(A, 2));
    s := s + A[n, n] - 2*(n - 2);
  end filled;
  function empty
    input Integer n;
    output Real s;
  protected
    Real w[n];
  algorithm
    s := sum(w) + size(w, 1);
  end empty;
end Functions;
model RunTimeArrays
  import Functions.*;
  Integer n = if time > 0.5 then 3 else 2;
  Real s = total(n, time), w = whole(n, time), m = matrix(n, time), q = powers(n + 1, time) + 6*time, d = der(x);
  Integer p = largest_prime(if time > 0.5 then 36 else 20), r = factorial(n + 2);
  Real x = powers(n, time);
  Real y(start = 1), t = norm_of_ramp(n, time), e = empty(n - 2), f = filled(n, time);
equation
  powers(n - 1, y) = 3.75*time;
  annotation(experiment(StopTime = 1, Interval = 0.25));
end RunTimeArrays;
