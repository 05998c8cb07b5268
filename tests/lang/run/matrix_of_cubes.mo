// Parts of a matrix with three dimensions are joined along the second and the first one.
//? value d1 4 0
//? value d2 2 0
//? value d3 2 0
//? value a 4 0
//? value b 7 0
//? value c 32 0
model matrix_of_cubes
  constant Integer x[:, :, :] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
  constant Integer y[:, :, :] = [x; 4*x];
  constant Integer z[:, :, :] = [x, x];
  Integer d1 = size(y, 1), d2 = size(y, 2), d3 = size(y, 3);
  Integer a = size(z, 2);
  Integer b = z[2, 4, 1];
  Integer c = y[4, 2, 2];
end matrix_of_cubes;
