model M
  Real type;
  Real 2x;
  parameter Real;
  Real x.y;
  import A.;
end M;
model end
