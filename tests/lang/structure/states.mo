// StateSelect.always is obeyed, or it is told why not.

// A preference that cannot be kept does not stand in its way.
model GoodBesideInput
  input Real u(start = 2, stateSelect = StateSelect.prefer);
  Real x(start = 0, fixed = true);
  Real y(stateSelect = StateSelect.prefer);
  output Real z(stateSelect = StateSelect.always);
equation
  der(x) = -x + u;
  y = x + u;
  z = exp(x);
end GoodBesideInput;

model GoodBesideJump
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  Real e(stateSelect = StateSelect.prefer), s(stateSelect = StateSelect.always);
equation
  der(x) = -x;
  der(v) = 1;
  e = v^2/2 + 9.81*x;
  s = x*2 + 3;
  when v > 0.5 then
    reinit(v, -0.5*pre(v));
  end when;
end GoodBesideJump;

// The derivative of x is a state of its own, so that x is one, too.
model ToldSecondOrder
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  Real s(stateSelect = StateSelect.always);
equation
  der(x) = v;
  der(v) = -9.81;
  s = x*2 + 3;
end ToldSecondOrder;

model ToldInput
  input Real u;
  Real x(start = 0, fixed = true);
  Real y(stateSelect = StateSelect.always);
equation
  der(x) = u;
  y = x + u;
end ToldInput;

model ToldJump
  Real x(start = 1, fixed = true);
  Real y(stateSelect = StateSelect.always) = if x > 0.5 then x else 2*x;
equation
  der(x) = -1;
end ToldJump;

model ToldTooMany
  Real x(start = 1, fixed = true, stateSelect = StateSelect.always);
  Real y(stateSelect = StateSelect.always) = 3*x + 1;
equation
  der(x) = -x;
end ToldTooMany;
