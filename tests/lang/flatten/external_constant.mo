// An external function that is built in and pure, on literals: its value may be a size.
package ExternalConstant
  function read_number
    input String text;
    output Integer next;
    output Integer number;
    external "C" ModelicaStrings_scanInteger(text, 1, false, next, number);
  end read_number;
  function length_of
    input String text;
    output Integer number;
  protected
    Integer next;
  algorithm
    (next, number) := read_number(text);
  end length_of;
  model M
    parameter String text = "3";
    Real v[length_of(text)] = fill(time, length_of(text));
  end M;
end ExternalConstant;
//? class ExternalConstant.M
