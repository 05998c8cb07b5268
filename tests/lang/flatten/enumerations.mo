// Enumerations: literals, relations, arrays over them, loops.
package Enumerations
  type Mode = enumeration(off "nothing", heat, cool);
  model M
    parameter Mode first = Mode.heat;
    Mode mode(start = Mode.off);
    Real power[Mode] = {0, 10, -5};
    Real now = power[mode];
    Boolean warm = mode > Mode.off;
    Integer number = Integer(mode);
    Real all = sum(power[m] for m in Mode);
  equation
    mode = if time < 1 then first elseif time < 2 then Mode.cool else Mode.off;
  end M;
end Enumerations;
//? class Enumerations.M
