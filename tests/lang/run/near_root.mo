// Of many solutions the one near the start value is meant, although the first step of Newton's method is long.
//? value phi 2.6179938779914944 1e-9
model NearRoot
  Real phi(start=1.6), psi;
equation
  sin(phi) = 0.5 + 0*time;
  psi = 2*phi;
  annotation (experiment(StopTime=1));
end NearRoot;
