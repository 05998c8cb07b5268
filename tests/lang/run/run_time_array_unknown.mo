// A local array of run-time size holds what a function puts there, also where some of it is known before the run.
//? value q 1 0
//? value i 0.913670934040007 1e-8
function Second
  input Real w[:];
  output Real y;
algorithm
  y := if w[1] > 0.5 then 0 else 1;
  annotation(Inline = false);
end Second;
function Count
  input Real x;
  output Integer n;
algorithm
  n := integer(x);
  annotation(Inline = false);
end Count;
function Capacity
  input Real c, x;
  output Real y;
protected
  Integer n = Count(3 + c);
  Real w[n];
algorithm
  if c > 0 then
    w[1] := x;
  end if;
  y := c*x + Second(w);
  annotation(Inline = false);
end Capacity;
model RunTimeArrayUnknown
  final parameter Real C = 0;
  Real v = sin(time) + 1, q = Capacity(C, v);
  Real i(start = 0.5, fixed = true);
equation
  q*der(i) = 1 - i*i;
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end RunTimeArrayUnknown;
