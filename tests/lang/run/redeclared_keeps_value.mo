// A redeclaration without a value keeps that of the declaration, if it is of the same type.
//? value y 18 1e-12
model RedeclaredKeepsValue
  record Cell
    parameter Real v;
  end Cell;
  record Better
    extends Cell(v = 5);
    parameter Real w = 4;
  end Better;
  model Stack
    parameter Integer n = 2;
    parameter Cell all(v = 3);
    replaceable parameter Cell cells[n] = {all, Cell(6)};
    replaceable parameter Cell one = Cell(100);
    replaceable parameter Real p = 3;
  end Stack;
  model Built
    extends Stack(redeclare parameter Cell cells, redeclare parameter Better one, redeclare parameter Real p = 0);
  end Built;
  Built b;
  Real y = sum(b.cells.v) + b.one.v + b.one.w + b.p;
end RedeclaredKeepsValue;
