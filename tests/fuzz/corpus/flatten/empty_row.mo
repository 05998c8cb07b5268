model M
  Real m[2, 2] = [1, 2; 3, 4;];
end M;
