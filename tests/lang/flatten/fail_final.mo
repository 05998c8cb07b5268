package Fail
  model Fixed
    final parameter Real p = 1;
    Real x = p + P.c;
    Real gone if false;
    outer Real world;
  equation
    der(x) = gone;
  end Fixed;
  package P
    constant Real c;
  end P;
  model M
    inner Real world = 1;
    Fixed a(p = 2);
  end M;
end Fail;
//? class Fail.M
