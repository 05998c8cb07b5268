// What to write instead.

model BadFunctions
  Real x(start = 1);
equation
  der(x) = -Sin(x) + sinn(x);
end BadFunctions;

model BadPi
  Real x = 2 * pi * time;
end BadPi;

model BadFloat
  float x = 1;
end BadFloat;

model BadInt
  int n = 1;
end BadInt;

model BadBool
  bool b = true;
end BadBool;

model Part
  parameter Real p = 1;
  final parameter Real q = 2;
end Part;
model BadModifications
  Part a(P = 2, q = 3, r = 4);
end BadModifications;

model BadNearerName
  function sine
    input Real u;
    output Real y = u;
  algorithm
  end sine;
  Real x = sinee(time);
end BadNearerName;
