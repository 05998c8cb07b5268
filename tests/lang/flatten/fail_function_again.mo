// What is wrong with a function is said once, however often it is called.
model FailFunctionAgain
  function f
    input Real x;
    output Real y;
  algorithm
    while y < x loop
      y := y + 1;
    end while;
    y := {x, 2*x};
  end f;
  Real a = f(time);
  Real b = f(2*time);
end FailFunctionAgain;
