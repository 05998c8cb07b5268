model M
  Real größe;
  String s = “text”;
  Boolean b = a != c && d || !e;
  Real x = 1 − 2;
  Real y = 12ab + 1e + 3;
  String t = "a\qb C:\dir";
  Real 'open;
  Real '' = 1;
  Real z = a # b;
end M;
