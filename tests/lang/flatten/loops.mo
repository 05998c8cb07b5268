// Loops whose range follows from the use of their index; dimensions by enumerations and Booleans.
model Loops
  type Colour = enumeration(red, green);
  Real x[3], y[2, 3], c[Colour], b[Boolean];
  Real s = sum(x[i]*i for i);
  Real t[3] = {2*x[k] for k};
equation
  for i loop
    x[i] = i*time;
  end for;
  for i, j loop
    y[i, j] = x[j] + i;
  end for;
  for k loop
    c[k] = if k == Colour.red then 1 else Integer(k);
  end for;
  for k loop
    b[k] = if k then 1 else 0;
  end for;
end Loops;
