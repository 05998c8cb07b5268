// Functions of ModelicaUtilities and of the standard library, as a model declares them itself; a
// field of a record as their argument.
//? value l 4 0
//? warns a word to the user
record Named
  String name;
  Real x;
end Named;
function length_of_name
  input Named n;
  output Integer l;
  external "C" l = ModelicaStrings_length(n.name);
end length_of_name;
impure function warn
  input String text;
  external "C" ModelicaWarning(text);
end warn;
model OwnExternals
  parameter Named n = Named("four", 1);
  Integer l = length_of_name(n);
equation
  when time > 0.5 then
    warn("a word to the user");
  end when;
  annotation(experiment(StopTime = 1));
end OwnExternals;
