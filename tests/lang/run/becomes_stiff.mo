// A spring that becomes hard when it touches: the explicit method that the start asks for would take a million steps.
//? steps 20000
//? value x 0.0098 1e-4
model BecomesStiff
  Real x(start=1, fixed=true), v(start=0, fixed=true), f;
equation
  f = if x < 0.01 then 1e6*(0.01 - x) - 1e5*v else 0;
  der(x) = v;
  der(v) = -200 + f - 0.1*v;
  annotation (experiment(StopTime=20));
end BecomesStiff;
