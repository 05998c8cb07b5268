// The current is preferred as a state. What is clipped follows from it and may jump, but not the current: it is a state, and the flux is none
// (by which the current would lose nine digits). That the number of turns is a whole number says nothing of events.
//? rtol 1e-8
//? value i 0.864664716763387 1e-7
//? value g 1 1e-9
model PreferredBesideAJump
  parameter Integer n = 2;
  Real i(stateSelect=StateSelect.prefer, start=0, fixed=true), B, H, k, J(start=0, fixed=true), g;
equation
  n*i = H;
  B = J + 1e-9*H;
  der(J) = 1;
  der(B) = 1e-9*n*(2 - H) + 1;
  k = if H > 1 then 1 else H;
  der(g) = der(k);
initial equation
  g = 0;
  annotation (experiment(StopTime=1));
end PreferredBesideAJump;
