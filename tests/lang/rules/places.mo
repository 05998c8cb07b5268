// What stands where it cannot.

connector Pin
  Real v;
  flow Real i;
end Pin;

model BadInitialConnection
  Pin a, b;
initial equation
  connect(a, b);
end BadInitialConnection;

model BadExternalModel
  external "C" f();
end BadExternalModel;

model BadLanguage
  function f
    input Real u;
    output Real y;
    external "fish" y = g(u);
  end f;
  Real y = f(time);
end BadLanguage;

model BadTerminate
  function f
    input Real u;
    output Real y;
  algorithm
    y := u;
    while y > 1 loop
      terminate("here");
    end while;
  end f;
  Real y = f(time);
end BadTerminate;

model BadMessage
equation
  when time > 1 then
    terminate(2);
  end when;
end BadMessage;

model BadMax
  Real y = max(1, 2, time);
end BadMax;

model BadSize
  Real x[2];
  Integer n = size(x, 1, 1);
end BadSize;

model BadIdentity
  Real x[2, 2] = identity(2, 2);
end BadIdentity;

class BadRoot
  extends ExternalObject;
  function constructor
    output BadRoot o;
    external "C" o = make();
  end constructor;
  function destructor
    input BadRoot o;
    external "C" destroy(o);
  end destructor;
end BadRoot;

model GoodExtremes
  constant Integer i[0] = fill(0, 0);
  constant Boolean b[0] = fill(true, 0);
  Integer least = max(i);
  Boolean all_hold = min(b);
  Integer none = sum(k for k in 1:0);
  type T = Real[2](start = {1, 2});
  T x[3](each fixed = true);
equation
  der(x) = -x;
end GoodExtremes;

model BadMatrix
  Real x[2, 2, 2] = fill(time, 2, 2, 2);
  Real y[2, 2] = matrix(x);
end BadMatrix;
