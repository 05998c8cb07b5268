// der() among equations that tick, by the explicit methods of order 2 and 4 with step 1/10: the time and a sampled signal
// are linear between ticks, what counts is held. Against the formulas of the specification, by hand.
//? at 0.06 x 1 0
//? at 0.16 x 1.0099916708323413 1e-14
//? at 0.56 x 1.8626021140666658 1e-13
//? value x 3.160967902415605 1e-13
//? at 0.06 y 1 0
//? at 0.16 y 1.009356769257777 1e-14
//? at 0.56 y 1.8684351398972419 1e-13
//? value y 3.1879590077087427 1e-13
//? value z 3.1879590077087427 1e-12
model ClockRungeKutta
  model Ode
    input Real u, n;
    Real x(start = 1), square;
  equation
    der(x) = u - square + time + n;
    square = x*x;
  end Ode;
  // The square from a loop of equations.
  model Loop
    input Real u, n;
    Real x(start = 1), a, b;
  equation
    der(x) = u - a + time + n;
    a + b = 3*x*x;
    a - b = -x*x;
  end Loop;
  Ode middle, four;
  Loop ring;
  Real x = hold(middle.x), y = hold(four.x), z = hold(ring.x);
  Clock c2 = Clock(Clock(1, 10), solverMethod = "ExplicitMidPoint2");
  Clock c4 = Clock(Clock(0.1), solverMethod = "ExplicitRungeKutta4");
  Real n2(start = 0), n4(start = 0);
equation
  middle.u = sample(sin(time), c2);
  n2 = previous(n2) + 1;
  middle.n = n2 + 0*middle.u;
  four.u = sample(sin(time), c4);
  n4 = previous(n4) + 1;
  four.n = n4 + 0*four.u;
  ring.u = four.u;
  ring.n = n4;
  annotation(experiment(StopTime = 1.05, Interval = 0.02));
end ClockRungeKutta;
