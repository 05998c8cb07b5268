// Names of literals are filled up with blanks as numbers are, on either side.
//? warns <aa  ><  bb><true  ><  aa>
model StringOfLiteral
  type E = enumeration(aa, bb);
  parameter Integer length = 4;
  E e = if time > 0.5 then E.bb else E.aa;
algorithm
  when time > 0.7 then
    assert(false, "<" + String(E.aa, minimumLength = 4) + "><" + String(e, minimumLength = length, leftJustified = false) +
      "><" + String(true, minimumLength = 6) + "><" + String(E.aa, 4, false) + ">", AssertionLevel.warning);
  end when;
end StringOfLiteral;
