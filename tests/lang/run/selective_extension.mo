// extends B(break x, break connect(a, b)), and x = break.
//? value y 6 1e-9
//? value r 5 1e-9
//? value q 7 1e-9
connector In = input Real;
connector Out = output Real;
block Gain
  parameter Real k = 1;
  In u;
  Out y = k*u;
end Gain;
block Twice
  In input_signal;
  Out y = 2*input_signal;
end Twice;
partial block Nothing
end Nothing;
model Base
  In u = 1;
  Gain first(k = 3), second(k = 100);
  Nothing unfinished;
  Gain between(k = 5);
  Real y;
equation
  connect(u, first.u);
  connect(first.y, second.u);
  connect(first.y, between.u);
end Base;
model Chosen
  extends Base(break second, break unfinished, break connect(between.u, first.y));
  Twice second;
  parameter Real p = 4;
equation
  connect(first.y, second.input_signal);
  y = second.y;
  between.u = 1;
end Chosen;
model SelectiveExtension
  extends Chosen(p(start = 5) = break);
  Real q = between.y + 2;
  Real r = p + 0*time;
  annotation(experiment(StopTime = 1));
end SelectiveExtension;
