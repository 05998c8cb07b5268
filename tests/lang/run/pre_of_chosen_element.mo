// The left limit of an element that is chosen during the run is chosen among the left limits; the subscript itself is that of now.
//? value s 8 0
//? value p 3 0
//? value q 4 0
//? at 0.3 q 1 0
//? value m 40 0
//? value c 2 0
//? value edges 2 0
model PreOfChosenElement
  Integer p(start = 1, fixed = true), c(start = 0, fixed = true), edges(start = 0, fixed = true);
  discrete Real v[3](start = {1, 2, 3}, each fixed = true), w[2](start = {1, 4}, each fixed = true);
  discrete Real s(start = 0, fixed = true), m(start = 0, fixed = true);
  Integer k[2, 2](start = {{10, 20}, {30, 40}}, each fixed = true);
  Boolean b[2] = {time > 0.25, time > 0.5};
  Real q;
  Integer i = if time > 0.4 then 2 else 1;
algorithm
  when sample(0.2, 0.3) then
    v[pre(p)] := 10*pre(p);
    p := pre(p) + 1;
    s := s + pre(v[p]) + v[pre(p)]/10;
  end when;
equation
  q = pre(w[i]);
  when time > 0.7 then
    w = {7, 7} - {6, 3};
    m = pre(k[i, pre(i)]);
    k = zeros(2, 2);
  end when;
  when edge(b[i]) then
    edges = pre(edges) + 1;
  end when;
  when change(b[1]) or change(b[i]) then
    c = pre(c) + 1;
  end when;
  annotation(experiment(StopTime = 0.75, Interval = 0.05));
end PreOfChosenElement;
