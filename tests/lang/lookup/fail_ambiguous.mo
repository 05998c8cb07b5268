//? find C in M
//? find c in D
package X
  model C
  end C;
end X;
package Y
  model C
  end C;
end Y;
model M
  import X.*;
  import Y.*;
end M;
model D
  Real c;
  Integer c;
end D;
