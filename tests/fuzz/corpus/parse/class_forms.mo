within A.B;
encapsulated partial model M "a" + "b"
  import C.D;
  import E = C.D;
  import C.*;
  import C.{F, G} "two";
  extends .Base.X(a = 1, final b(start = 2) "why", each c = 3, redeclare replaceable model N = O(p = 1) constrainedby Q(r = 2), redeclare final Real y = 1, break z, break connect(u, v)) annotation(unused = true);
  type E1 = enumeration(one "1", two, three annotation(x = 1));
  type E2 = enumeration(:);
  type T = input Real[3](each unit = "m") "short";
  function g = der(f, x, y);
  replaceable function h = f constrainedby f2(a = 1) "c" annotation(choicesAllMatching = true);
  redeclare final inner outer replaceable Real w;
  model extends N(x = 1) "text"
    Real z;
  end N;
  operator '+'
    function add
      input Real a;
      output Real b;
    end add;
  end '+';
  operator record R
    Real re, im;
  end R;
  operator function of = g;
  expandable connector Bus
  end Bus;
  impure function i
    input Real x[:], y[:, size(x, 1)];
    output Real z = 1;
  external "C" z = c_function(x, size(x, 1), y) annotation(Include = "#include <x.h>");
    annotation(Inline = false);
  end i;
  pure function p
  external;
  end p;
  pure function p2
  external "builtin" q();
  end p2;
protected
  flow discrete input Real a[3](each start = 0) = {1, 2, 3} if b > 0 "comment", c;
  stream constant output Real d;
  Real broken = break;
  inner parameter Real e() annotation(Dialog);
public
  block Empty
  end Empty;
  annotation(version = "1", uses(Modelica(version = "4.1.0")));
end M;
final class K
end K;
