// A value of the text is held against the limits of the declaration.
//? fails 'part.ratio' is 1.5, more than its max, 1 [parameter_beyond_max.mo:4:18]
model Part
  parameter Real ratio(min = 0, max = 1) = 0.5;
  Real y = ratio*time;
end Part;
model ParameterBeyondMax
  parameter Real three = 3;
  Part part(ratio = three/2);
end ParameterBeyondMax;
