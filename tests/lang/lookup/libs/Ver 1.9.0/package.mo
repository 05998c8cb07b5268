package Ver
  constant Integer old = 1;
end Ver;
