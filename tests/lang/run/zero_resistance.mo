// A final parameter that is zero by others, as the factor of an unknown: u1 = u2 is left of its equation, and one state.
//? value u1 0.36787944117144233 1e-6
//? value u2 0.36787944117144233 1e-6
//? at 0.5 i -0.30326532985631671 1e-6
model ZeroResistance
  function resistance
    input Real sheet, squares;
    output Real R;
  algorithm
    if sheet > 0 then
      R := sheet*squares;
    else
      R := 0;
    end if;
  end resistance;
  parameter Real sheet = 0;
  parameter Real squares = 2;
  final parameter Real R = resistance(sheet, squares);
  Real u1(start=1, fixed=true), u2, i;
equation
  der(u1) = -1.5*u1 - i;
  der(u2) = i - 0.5*u2;
  i*R = u1 - u2;
  annotation (experiment(StopTime=1));
end ZeroResistance;
