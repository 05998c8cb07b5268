// Calls that are inlined, evaluated, and compiled; records; default arguments; several results.
package Functions
  record Point
    Real x = 0;
    Real y = 0;
  end Point;
  function norm
    input Real v[:];
    output Real n;
  algorithm
    n := sqrt(v*v);
  end norm;
  function fibonacci
    input Integer n;
    output Integer f;
  algorithm
    f := if n < 2 then n else fibonacci(n - 1) + fibonacci(n - 2);
  end fibonacci;
  function collatz
    input Real x;
    input Real limit = 100;
    output Real steps;
    output Real last;
  protected
    Real a[2];
  algorithm
    a := {x, 0};
    steps := 0;
    while a[1] > 1 and steps < limit loop
      if a[1] > 5 then
        a[1] := a[1]/2;
      else
        a := {a[1] - 1, a[1]};
      end if;
      steps := steps + 1;
    end while;
    for i in 1:2 loop
      last := last + a[i];
    end for;
  end collatz;
  function move
    input Point p;
    input Real by;
    output Point q = Point(p.x + by, p.y);
  algorithm
  end move;
  model M
    Real v[fibonacci(4)] = {time, 1, 2};
    Real a = norm(v);
    Real b, c;
    Point p = Point(y = a), q = move(p, 2);
  equation
    (b, c) = collatz(time);
  end M;
end Functions;
//? class Functions.M
