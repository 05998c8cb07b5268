// Behind a closed valve: the flow is known twice, and the pressure not at all. That of the start value is kept.
model closed_valves
  parameter Real opening = 0;
  Real p(start = 2), q(start = 1);
  Real x(start = 0, fixed = true);
//? value q 0.5 1e-12
//? value p 2 1e-12
//? warns more than one solution
equation
  q*(1 + q^2) = 0.625 + opening*(5 - p)^3;
  exp(q)*(3 + q) = exp(0.5)*3.5 + opening*p*q;
  der(x) = q;
  annotation(experiment(StopTime = 1));
end closed_valves;
