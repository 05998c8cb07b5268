// Parameters without a value are named, with the place.
model Part
  parameter Real gain;
  parameter Boolean on;
  parameter Real other(start = 3), free(fixed = false);
  parameter String name;
end Part;
model MissingValues
  Part first, second(gain = 2, on = true);
initial equation
  first.free = 1;
  second.free = 2;
end MissingValues;
