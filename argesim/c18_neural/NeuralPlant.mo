package NeuralPlant "ARGESIM C18: recorded data of a nonlinear process"
  function draw "the next state of the generator; both products are exact"
    input Real s;
    output Real next;
  algorithm
    next := mod(mod(16838*s, 32768)*65536 + 20077*s + 12345, 2147483648.0);
  end draw;

  model Plant "oscillator with a bent output; its input holds for two seconds"
    discrete Real s(start=12345, fixed=true) "state of the generator";
    Real u = -1 + s/1073741824 "input";
    Real x1(start=0, fixed=true), x2(start=0, fixed=true);
    Real y = x1 + 0.3*x1^2 - 0.1*x1^3 "measured";
  equation
    when sample(0, 2) then
      s = draw(pre(s));
    end when;
    der(x1) = x2;
    der(x2) = -x1 - 0.8*x2 + u;
    annotation(experiment(StopTime=199.9, Tolerance=1e-10, Interval=0.1));
  end Plant;
end NeuralPlant;
