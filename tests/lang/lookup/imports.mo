//? find C in P.Qualified
//? find D in P.Renamed
//? find C in P.Unqualified
//? find C in P.List
//? find E in P.List
//? find C in P.List.Inside
//? find C in P.First
package L
  package B
    model C
    end C;
    model E
    end E;
  end B;
end L;
package P
  model Qualified
    import L.B.C;
  end Qualified;
  model Renamed
    import D = L.B.C;
  end Renamed;
  model Unqualified
    import L.B.*;
  end Unqualified;
  model List
    import L.B.{C, E};
    model Inside
    end Inside;
  end List;
  model First
    import L.B.*;
    model C
    end C;
  end First;
end P;
