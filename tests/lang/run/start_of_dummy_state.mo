// A start value that the text gives counts more than the default of the variable that is the state; among those that
// have none, and where a state has one, it is the state.
//? at 0 x 2 1e-12
//? at 0 y 6 1e-12
//? at 0 p 1 1e-12
//? at 0 q 2 1e-12
//? at 0 w 0 1e-12
model StartOfDummyState
  Real x, y(start = 6);
  Real p(start = 1, stateSelect = StateSelect.prefer), q(start = 7);
  Real v(stateSelect = StateSelect.prefer), w;
equation
  der(x) + der(y) = -4*x;
  y = 3*x;
  der(p) + der(q) = -3*p;
  q = 2*p;
  der(v) + der(w) = -5*v;
  w = 4*v;
end StartOfDummyState;
