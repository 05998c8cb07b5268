model M "café"
  Real x;
end M;
