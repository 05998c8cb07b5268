model M
initial equation
  x = 0;
equation
  a.b[1, :].c = -x^2 + (-y)*3 .^ 2 - .z ./ 2 "text" annotation(a = 1);
  (a, , b) = f(x, y);
  (, c) = g();
  connect(p[1].n, q.'in put'[end]) annotation(Line(points = {{0, 0}, {1, 1}}));
  if a and not b or c <> d then
    x = 1;
  elseif initial() then
    assert(x > 0, "message " + String(x), level = AssertionLevel.warning);
  else
  end if;
  for i in 1:2:n, j loop
    v[i] = sum(w[k]*m[i, k] for k in 1:size(m, 2));
  end for;
  when {sample(0, 1), pre(b)} then
    reinit(x, 1);
  elsewhen change(c) then
    y = pre(y) + 1;
  end when;
  der(x) = if a then b elseif c then d else e;
  m = [1, 2; 3, 4];
  v = {i^2 for i in 1:3, j in {1, 2}};
  z = (a + b)[1] + (c).d;
  Connections.root(x);
  s = f(function g(a = 1, b = function h()), c = function .A.k());
  time = pure(random());
  x = 1e-3 + .5 + 2. + 1E+5;
end M;
