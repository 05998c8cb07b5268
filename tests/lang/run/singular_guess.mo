// The Jacobian is singular at the first guess (all zero); the loop is solved all the same.
//? at 0.25 i 0.19607843137254902 1e-14
//? value i 0 1e-12
model SingularGuess
  Real v = 20*sin(2*3.141592653589793*time), i, R, T;
equation
  R = 100*(1 + 1e-3*T);
  v = R*i;
  5*T = v*i*25.5;
  annotation (experiment(StopTime=0.5));
end SingularGuess;
