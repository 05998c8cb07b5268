// At an event, too: no state follows from n.
//? fails 'n' is not finite at t = 
model IntegerNotANumber
  Integer n(start = 1, fixed = true), zero(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when time >= 5 then
    zero = 1;
  end when;
  when time >= 0.5 then
    n = mod(5, zero);
  end when;
  annotation(experiment(StopTime = 1));
end IntegerNotANumber;
