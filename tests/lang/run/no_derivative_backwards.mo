// A variable that noDerivative leaves out, and which follows only from that equation: through it and its declared derivative.
//? value f 0.84147098480789651 1e-12
//? value rate 0.54030230586813972 1e-12
//? value x 0.70807341827357119 1e-5
model M
  function state
    input Real u[2] "value and rate";
    input Real t;
    output Real s;
  algorithm
    s := u[1];
    annotation (derivative(noDerivative = u) = state_der);
  end state;
  function state_der
    input Real u[2];
    input Real t;
    input Real t_der;
    output Real s_der;
  algorithm
    s_der := u[2];
  end state_der;
  Real u = sin(time), f, rate = der(f), x(start = 0, fixed = true);
equation
  u = state({f, der(f)}, time);
  der(x) = 2*f*rate;
  annotation (experiment(StopTime = 1));
end M;
