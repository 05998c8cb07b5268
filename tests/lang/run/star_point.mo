// Three coils in a star without a neutral wire: the currents have no sum, so that the zero sequence is no state, though it is preferred as one and
// structure alone would let it be. With R = L = 1 the currents follow (u - mean(u))(1 - exp(-t)).
//? value a 1.26424111765712 1e-5
//? value b -0.63212055882856 1e-5
//? value zero 0 1e-9
model StarPoint
  Real i[3], v0, a(stateSelect=StateSelect.prefer), b;
  Real zero(stateSelect=StateSelect.prefer), uz;
  parameter Real u[3] = {3, 0, 0};
  parameter Real T[2, 3] = {{2, -1, -1}, {0, 1, -1}}/3;
  Real ab[2], v[2];
equation
  -3*zero = sum(i);
  sum(i) = 0;
  ab = T*i;
  uz = der(zero);
  v = der(ab);
  for k in 1:3 loop
    u[k] - v0 - i[k] = uz + (if k == 1 then v[1] else -v[1]/2 + (if k == 2 then 1.5 else -1.5)*v[2]);
  end for;
  a = ab[1];
  b = i[2];
initial equation
  ab = {0, 0};
  annotation (experiment(StopTime=1));
end StarPoint;
