// A failed assertion names the component and the place in the text.
//? fails assertion failed: part: the level is 0.5 [failed_assertion.mo:7:5]
model Part
  Real level(start = 0, fixed = true);
  equation
    der(level) = 1;
    assert(level < 0.5, "the level is " + String(level, significantDigits = 3));
end Part;
model M
  Part part;
  annotation(experiment(StopTime = 1));
end M;
