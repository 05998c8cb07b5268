// Stiff, so that the first steps are tiny: the argument of ceil begins on a number and leaves it by less than rounding at first.
//? value k 4 1e-9
//? value area 2.2 1e-6
model FloorFromANumber
  Real x(start=0.3, fixed=true), y(start=1, fixed=true), area(start=0, fixed=true);
  Integer k;
equation
  der(x) = 1;
  der(y) = -1e6*(y - cos(x));
  k = integer(ceil(x/0.3)) - 1;
  der(area) = k;
  annotation (experiment(StopTime=1));
end FloorFromANumber;
