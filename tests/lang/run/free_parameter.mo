// A parameter that an initial equation determines, and another one that is computed from it.
//? value c 20 1e-9
//? value spring.c 20 1e-9
//? value x 0.5 1e-9
model FreeParameter
  model Spring
    parameter Real c = 1;
    Real f, s;
  equation
    f = c*s;
  end Spring;
  parameter Real c(fixed=false, start=1);
  Spring spring(c=c);
  Real x(start=0.5, fixed=true), v(start=0, fixed=true);
initial equation
  der(v) = 0;
equation
  spring.s = x;
  der(x) = v;
  der(v) = 10 - spring.f;
  annotation (experiment(StopTime=1));
end FreeParameter;
