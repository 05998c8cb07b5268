// A capacity that a function computes, and that parameters make zero whatever the voltage is: no
// state. With other parameters, the same text has one.
//? value bare.v 2 1e-9
//? value slow.v 2 1e-6
//? at 0 bare.v 2 1e-9
//? at 0 slow.v 0 1e-12
function grading "Of a junction, by its voltage"
  input Real v, c0, potential;
  output Real c;
algorithm
  if v < 0.5*potential then
    c := c0/sqrt(1 - v/potential);
  else
    c := c0*(1 + 0.5*v/potential);
  end if;
end grading;
function device
  input Real v, c0, width[2];
  output Real c, i;
protected
  Real area;
  Integer k;
algorithm
  area := 0;
  for j in 1:2 loop
    area := area + width[j];
  end for;
  c := grading(v, c0*area, 0.7);
  k := 0;
  while k < 2 loop
    c := c + grading(-v, width[k + 1]*c0, 0.8);
    k := k + 1;
  end while;
  i := if v > 0 then v^3 else 0;
end device;
model Node
  parameter Real c0 = 0, w = 1;
  final parameter Real width[2] = {w, 2*w};
  Real v(start=0), i, iC, c;
equation
  (c, i) = device(v, c0, width);
  iC = c*der(v);
  iC + i = 10 - v;
end Node;
model NoCapacity
  Node bare;
  Node slow(c0=0.1, v(fixed=true));
  annotation(experiment(StopTime=20, Tolerance=1e-9));
end NoCapacity;
