// What is wrong with components and modifications.
package Fail
  package P
    constant Real c;
  end P;
  partial model Part
    Real x;
  end Part;
  model Fixed
    final parameter Real p = 1;
    Real x = p;
    parameter Integer n = n + 1;
    Real v[n];
  end Fixed;
  model Self
    Self inside;
  end Self;
  model M
    Part part;
    Fixed a(q = 1);
    Fixed b(redeclare Real x);
    Fixed c;
    Self self;
    P package_;
    outer Part world;
    Real huge[1000000000];
    Real varying[integer(time)];
    Real unknown[:];
    Sinn s;
  end M;
end Fail;
//? class Fail.M
