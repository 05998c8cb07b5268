package Ver
  constant Integer new = 1;
end Ver;
