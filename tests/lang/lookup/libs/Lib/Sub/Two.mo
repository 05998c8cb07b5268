within Lib.Sub;
model Two
  Real x;
end Two;
