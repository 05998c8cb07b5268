// A Cartesian pendulum that goes all the way round: no choice of one of x, y as a state lasts. Energy and length stay.
//? rtol 1e-8
//? value length 1 1e-7
//? value energy 25 1e-5
//? at 0 x 0.6 1e-12
//? at 0 y -0.8 1e-12
//? value turns 2.3 0.7
model PendulumAllRound
  Real x(start=0.6, fixed=true), y(start=-0.8), vx(start=6), vy(start=4), F;
  Real length = sqrt(x^2 + y^2), energy = (vx^2 + vy^2)/2 + 9.81*y;
  Real turns(start=0, fixed=true);
initial equation
  (vx^2 + vy^2)/2 + 9.81*y = 25;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - 9.81;
  x^2 + y^2 = 1;
  der(turns) = abs(x*vy - y*vx)/(2*3.141592653589793);
  annotation (experiment(StopTime=2));
end PendulumAllRound;
