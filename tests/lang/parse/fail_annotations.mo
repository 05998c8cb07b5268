model M
  annotation(a = 1);
  Real x;
  annotation(b = 2);
end M;
function f
  external "C";
  external "C" g();
end f;
model N
  Real y annotation;
equation
  y = 1 annotation(Line(points = {{1, 2), {3, 4}}));
end N;
