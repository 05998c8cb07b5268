// An unknown inside of a function is found with the inverse that the function declares: iteration from this start would find -2*sqrt(time).
//? at 0.25 x 1 1e-15
//? value x 2 1e-15
//? value y 6 1e-15
model M
  function square
    input Real u;
    input Real scale[2];
    output Real y;
  algorithm
    y := u;
    while y <> scale[1]*u*u loop
      y := scale[1]*u*u;
    end while;
    annotation (inverse(u = root(y, scale)));
  end square;
  function root
    input Real y;
    input Real scale[2];
    output Real u = sqrt(y/scale[1]);
  algorithm
  end root;
  Real x(start = -3), y;
equation
  square(x, {2, time}) = 8*time;
  3*x = y;
  annotation (experiment(StopTime = 1, Interval = 0.25));
end M;
