// Sizes and values of declarations that depend on the sizes of inputs.
//? value b[2] 3 0
//? value c[2] 6 1e-12
//? value d 5 1e-12
model SizesOfInputs
  function tail
    input Real a[:];
    output Real b[size(a, 1) - 1] = a[2:end];
  algorithm
  end tail;
  function lastOf
    input Real a[:];
    output Real y;
  protected
    Integer n = size(a, 1);
    Real reversed[n] = a[end:-1:1];
  algorithm
    y := reversed[1];
    while y < 0 loop
      y := y + 1;
    end while;
  end lastOf;
  Real b[2] = tail({1, 2, 3});
  Real c[2] = tail({time, 2*time, 6*time});
  Real d = lastOf({1, time, 5*time});
end SizesOfInputs;
