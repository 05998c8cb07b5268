model M
  Real x annotation(Dialog(group = "a");
  Real y;
end M;
