// A redeclaration without a value keeps that of the declaration if it has all that the new type asks for: records that
// are redeclared themselves, in arrays, choices and loops; any value of a basic type.
//? value a 7 1e-12
//? value b 2 1e-12
//? value c 20 1e-12
//? value d 5 1e-12
//? value e 2 1e-12
model RedeclaredValueFits
  record Cell
    parameter Real v;
    parameter Real half = v/2;
  end Cell;
  record Better
    extends Cell(half = v - sum(parts));
    parameter Integer n = 1;
    parameter Real parts[n] = {0};
  end Better;
  record Example
    extends Better(v = 5, n = 2, parts = {1, 2});
  end Example;
  record Stack
    parameter Integer rows, columns;
    parameter Integer bad[2] = {0, 0};
    replaceable parameter Cell good;
    replaceable parameter Cell worse;
    replaceable parameter Cell cells[rows, columns] =
      {{if i == bad[1] and j == bad[2] then worse else good for j in 1:columns} for i in 1:rows};
    replaceable parameter Cell spare[2] = fill(good, 2);
  end Stack;
  record BetterStack
    extends Stack(redeclare Better good, redeclare Better worse, redeclare Better cells, redeclare Better spare);
  end BetterStack;
  model Plain
    replaceable parameter Real p[2] = {1, 2};
  end Plain;
  type Length = Real(unit = "m");
  parameter Example worse(v = 7);
  parameter BetterStack stack(rows = 2, columns = 2, bad = {1, 1}, good = Example(), worse = worse);
  Plain plain(redeclare parameter Length p);
  Real a = stack.cells[1, 1].v;
  Real b = stack.cells[2, 2].half;
  Real c = sum(stack.cells.v) - 2;
  Real d = stack.spare[2].v;
  Real e = plain.p[2];
end RedeclaredValueFits;
