package Rope "ARGESIM CP1, TE-3, and CP2, C3: a rope by the method of lines, whole or in pieces"
  model Piece "some lines in a row, with their neighbours"
    parameter Integer n = 799 "number of lines";
    parameter Real k(unit="m") = 10/800 "distance of two lines";
    parameter Real a(unit="s2/m2") = 2 "one over the square of the wave speed";
    parameter Boolean driven = true "the line behind the last one is the driven end of the rope";
    parameter Real b(unit="m") = 1 "its amplitude";
    parameter Real d(unit="1/s") = 0.2 "its decay";
    parameter Real w(unit="rad/s") = 1 "its frequency";
    input Real left(unit="m", start=0) "the line before the first one";
    input Real right(unit="m", start=0) "the line behind the last one, of a piece";
    Real u[n](each unit="m", each start=0, each fixed=true) "deflections";
    Real v[n](each unit="m/s", each start=0, each fixed=true) "velocities";
  protected
    Real around[n + 2](each unit="m") "with both neighbours";
  equation
    around = cat(1, {left}, u, {if driven then b*exp(-d*time)*sin(w*time) else right});
    der(u) = v;
    for i in 1:n loop
      k^2*a*der(v[i]) = around[i] - 2*around[i + 1] + around[i + 2];
    end for;
  end Piece;

  model Whole "all lines of TE-3"
    extends Piece;
    annotation(experiment(StopTime=30, Tolerance=1e-6));
  end Whole;

  model Half = Piece(n=400, driven=false);
  model LastHalf = Piece(n=399);
  model Quarter = Piece(n=200, driven=false);
  model LastQuarter = Piece(n=199);

  model Plucked "CP2, C3: a string of 0.5 m, drawn 0.05 m aside in its middle and let go"
    extends Piece(n=499, k=0.001, a=1/0.06^2, b=0, u(start={0.05*min(i, 500 - i)/250 for i in 1:499}));
    annotation(experiment(StopTime=10, Tolerance=1e-6));
  end Plucked;

  model PluckedHalf = Piece(n=250, k=0.001, a=1/0.06^2, driven=false, u(start={0.05*i/250 for i in 1:250}));
  model PluckedLastHalf = Piece(n=249, k=0.001, a=1/0.06^2, b=0, u(start={0.05*(250 - i)/250 for i in 1:249}));
end Rope;
