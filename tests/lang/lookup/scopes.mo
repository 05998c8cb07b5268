//? find A in P.M
//? find x in P.M
//? find y in P.M.Inner
//? find Real in P.M
//? find time in P.M
//? find sin in P.M
//? find StateSelect.prefer in P.M
//? find P.M in P.M
//? find .Top in P.M
//? find Q.Deep.z in P.M
//? find b.c.d in P.M
//? find E.two in P.M
//? bases P.M
//? bases P.S
//? bases P.N.Local
//? names P
package P
  type E = enumeration(one, two);
  model A
    Real x;
    package Q
      model Deep
        Real z;
      end Deep;
    end Q;
    replaceable model Local
    end Local;
  end A;
  model M
    extends A(x = 1);
    Real y;
    B b;
    model Inner
    end Inner;
  end M;
  model S = A(x = 2);
  model N
    extends A;
    redeclare model extends Local
      Real w;
    end Local;
  end N;
end P;
model Top
end Top;
