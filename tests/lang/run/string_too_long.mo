// A String that doubles in a function ends with a message, long before the memory does.
//? fails a String of 33554432 characters is too long
model StringTooLong
  function doubled
    input Integer n;
    output String s = "a";
  algorithm
    for i in 1:n loop
      s := s + s;
    end for;
  end doubled;
  parameter Integer n = 40;
  Boolean b = doubled(n) == "a";
end StringTooLong;
