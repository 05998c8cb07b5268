// The declaration and the reinit do not agree; the message speaks of what was written.
//? fails initial equations contradict each other: x = its start value (fixed = true) [reinit_contradicts_start.mo:4:8], where the left side is 2 and the right side 1 by the others
model ReinitContradictsStart
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  when initial() then
    reinit(x, 2);
  end when;
end ReinitContradictsStart;
