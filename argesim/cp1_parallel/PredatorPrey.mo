package PredatorPrey "ARGESIM CP1, TE-2: five populations of predator and prey"
  model Common "the pair that all others depend on"
    parameter Real a = 1.0, b = 1, c = 0.1 "of the prey";
    parameter Real d = 1, e = 0.5, f = 0.1 "of the predator";
    parameter Real g = 0.1 "what the prey of each other pair adds to it";
    input Real w1, x1, y1, z1 "prey of the others";
    Real v1(start=1, fixed=true) "prey";
    Real v2(start=1, fixed=true) "predator";
  equation
    der(v1) = a*v1 - b*v1*v2 - c*v1^2;
    der(v2) = -d*v2 + e*v1*v2 - f*v2^2 + g*v2*(w1 + x1 + y1 + z1);
  end Common;

  model Pair "one of the others"
    parameter Real a = 1.0, b = 1, c = 0.1 "of the prey";
    parameter Real d = 1, e = 1, f = 0.1 "of the predator";
    parameter Real g = 0.1 "what the common predator takes";
    parameter Real h = 0.05 "what the predator of the next pair gives";
    input Real v2 "the common predator";
    input Real n2 "predator of the next pair";
    Real p1(start=1, fixed=true) "prey";
    Real p2(start=1, fixed=true) "predator";
  equation
    der(p1) = a*p1 - b*p1*p2 - c*p1^2 + p1*(-g*v2 + h*n2);
    der(p2) = -d*p2 + e*p1*p2 - f*p2^2;
  end Pair;

  model Together "all five: the serial solution"
    Common v(w1=w.p1, x1=x.p1, y1=y.p1, z1=z.p1);
    Pair w(v2=v.v2, n2=x.p2);
    Pair x(a=1.1, v2=v.v2, n2=y.p2);
    Pair y(a=1.2, v2=v.v2, n2=z.p2);
    Pair z(a=1.3, v2=v.v2, n2=w.p2);
    annotation(experiment(StopTime=100, Tolerance=1e-8));
  end Together;
end PredatorPrey;
