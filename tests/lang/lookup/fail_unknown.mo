//? find Modl in P
//? find B.Cc in P.M
//? find P in P.Encapsulated
//? find Real in P.Encapsulated
//? find B.hidden in P.M
//? find B.hidden in P.Heir
//? bases P.Wrong
//? bases P.NoClass
//? bases P.Inner
//? find x in P.Importer
package P
  model Model
  end Model;
  package B
    model Cd
    end Cd;
  protected
    constant Real hidden = 1;
  end B;
  model M
  end M;
  package Heir
    extends B;
  end Heir;
  encapsulated model Encapsulated
  end Encapsulated;
  model Wrong
    extends Model2;
  end Wrong;
  constant Real c = 1;
  model NoClass
    extends c;
  end NoClass;
  redeclare model extends Inner
  end Inner;
  model Importer
    import P.Q.x;
  end Importer;
end P;
