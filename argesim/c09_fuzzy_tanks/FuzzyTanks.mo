package FuzzyTanks "ARGESIM C9: fuzzy control of two tanks"
  package Fuzzy "fuzzy sets and rules as functions"
    function trapezoid "0 up to a, 1 from b to c, 0 from d on"
      input Real x;
      input Real a, b, c, d;
      output Real grade;
    algorithm
      grade := if x < a or x > d then 0 elseif x < b then (x - a)/(b - a)
        elseif x <= c then 1 else (d - x)/(d - c);
    end trapezoid;

    function grades "in several trapezoids, one a row: a, b, c, d"
      input Real x;
      input Real sets[:, 4];
      output Real grade[size(sets, 1)];
    algorithm
      for i in 1:size(sets, 1) loop
        grade[i] := trapezoid(x, sets[i, 1], sets[i, 2], sets[i, 3], sets[i, 4]);
      end for;
    end grades;

    function sugeno "mean of the numbers in a table of rules, weighted by how far each applies"
      input Real first[:], second[:] "grades of the two conditions";
      input Real conclusion[size(first, 1), size(second, 1)];
      input Boolean product "and: the product, not the minimum";
      output Real u;
    protected
      Real strength, weight, total;
    algorithm
      total := 0;
      weight := 0;
      for i in 1:size(first, 1) loop
        for j in 1:size(second, 1) loop
          strength := if product then first[i]*second[j] else min(first[i], second[j]);
          total := total + strength*conclusion[i, j];
          weight := weight + strength;
        end for;
      end for;
      u := total/weight;
    end sugeno;
  end Fuzzy;

  function cut "to the interval from low to high"
    input Real x, low, high;
    output Real y;
  algorithm
    y := min(high, max(low, x));
  end cut;

  function fc1 "five triangles on each input, product"
    input Real e, v;
    output Real u;
  protected
    Real sets[5, 4] = {{-1 + 0.5*(i - 2), -1 + 0.5*(i - 1), -1 + 0.5*(i - 1), -1 + 0.5*i} for i in 1:5};
    Real rules[5, 5] = {{cut(0.5 + 0.25*(i - j), 0, 1) for j in 1:5} for i in 1:5};
  algorithm
    u := Fuzzy.sugeno(Fuzzy.grades(e, sets), Fuzzy.grades(v, sets), rules, true);
  end fc1;

  function fc2 "three trapezoids on each input, minimum"
    input Real e, v;
    output Real u;
  protected
    Real sets[3, 4] = {{-3, -2, -0.6, -0.1}, {-0.6, -0.1, 0.1, 0.6}, {0.1, 0.6, 2, 3}};
    Real rules[3, 3] = {{cut(0.5 + 0.5*(i - j), 0, 1) for j in 1:3} for i in 1:3};
  algorithm
    u := Fuzzy.sugeno(Fuzzy.grades(e, sets), Fuzzy.grades(v, sets), rules, false);
  end fc2;

  model Tanks "two tanks in a row, the level of the second is controlled"
    parameter Real area(unit="m2") = 0.02 "of each tank";
    parameter Real opening(unit="m2") = 3e-5 "between the tanks, and out of the second one";
    parameter Real inflow(unit="m3/s") = 2e-4 "with the valve open";
    parameter Real g(unit="m/s2") = 9.81;
    parameter Real wanted(unit="m") = 0.4 "level of the second tank";
    parameter Integer controller = 1 "1, 2, or 3: a mixture of both";
    Real x1(unit="m", start=0.1, fixed=true) "level of the first tank";
    Real x2(unit="m", start=0.05, fixed=true) "level of the second tank";
    Real q12(unit="m3/s") = opening*noEvent(sign(x1 - x2)*sqrt(2*g*abs(x1 - x2)));
    Real q2(unit="m3/s") = opening*sqrt(2*g*x2);
    discrete Real e(start=0, fixed=true) "error of the level, relative";
    discrete Real v(start=0, fixed=true) "rise of the level, scaled";
    discrete Real u(start=0, fixed=true) "opening of the valve";
  equation
    area*der(x1) = inflow*u - q12;
    area*der(x2) = q12 - q2;
    when sample(0, 1) then
      e = cut((wanted - x2)/wanted, -1, 1);
      v = cut((q12 - q2)/area/0.002, -1, 1);
      u = if controller == 1 then fc1(e, v) elseif controller == 2 then fc2(e, v)
        else abs(e)*fc2(e, v) + (1 - abs(e))*fc1(e, v);
    end when;
    annotation(experiment(StopTime=1000, Tolerance=1e-10));
  end Tanks;
end FuzzyTanks;
