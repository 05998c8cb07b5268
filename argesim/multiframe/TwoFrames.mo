model TwoFrames "A fast oscillator driven by a slow one, and back on it a little"
  Real x(start=1, fixed=true) "fast";
  Real v(start=0, fixed=true);
  Real s(start=1, fixed=true) "slow";
  Real w(start=0, fixed=true);
equation
  der(x) = v;
  der(v) = -400*x - 2*v + 40*s;
  der(s) = w;
  der(w) = -s - 0.1*w + 0.05*x;
  annotation(experiment(StopTime=5));
end TwoFrames;
