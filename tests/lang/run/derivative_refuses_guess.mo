// The derivative of a function refuses the first guess, where the function itself has a value: other guesses are tried.
//? value y -1 1e-12
model DerivativeRefusesGuess
  function cubic
    input Real x;
    output Real y;
  algorithm
    if x > 5 then
      y := 5;
    else
      y := x + 0.1*x^3;
    end if;
    annotation (derivative=cubic_rate);
  end cubic;
  function cubic_rate
    input Real x, dx;
    output Real dy;
  algorithm
    assert(x < 0, "the rate is known below zero only");
    dy := dx*(1 + 0.3*x^2);
  end cubic_rate;
  Real y(start=0);
  Real x(start=1, fixed=true);
equation
  der(x) = -x;
  cubic(y) = -1.1;
  annotation (experiment(StopTime=1));
end DerivativeRefusesGuess;
