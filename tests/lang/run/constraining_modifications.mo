// The modifications of a constraining clause are those of the default class, too, where that does not say otherwise.
//? value plain.m.k 2 0
//? value own.m.k 3 0
//? value own.m.j 5 0
//? value extended.m.k 2 0
package Parts
  model General
    parameter Real k = 1;
    parameter Real j = 1;
  end General;
  model Special
    extends General;
    Real x = k*time;
  end Special;
  model Plain
    replaceable model M = Special constrainedby General(k = 2);
    M m;
  end Plain;
  model Own
    replaceable model M = Special(k = 3) constrainedby General(k = 2, j = 5);
    M m;
  end Own;
  model Extended
    extends Plain;
    redeclare model extends M
      Real extra = k;
    end M;
  end Extended;
end Parts;
model M
  Parts.Plain plain;
  Parts.Own own;
  Parts.Extended extended;
end M;
