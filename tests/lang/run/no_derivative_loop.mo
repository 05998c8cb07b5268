// Two halves of a shaft, the second told how the first moves, which turns against the torque of the second: the declared second derivative closes the loop through the acceleration.
//? value phi2 4 1e-9
//? value w2 4 1e-9
//? value torque 6 1e-9
model M
  function state
    input Real u[3];
    input Real t;
    output Real s;
  algorithm
    s := u[1];
    annotation (derivative(noDerivative = u) = rate);
  end state;
  function rate
    input Real u[3];
    input Real t;
    input Real t_der;
    output Real s;
  algorithm
    s := u[2];
    annotation (derivative(noDerivative = u, order = 2) = acceleration);
  end rate;
  function acceleration
    input Real u[3];
    input Real t;
    input Real t_der;
    input Real t_der2;
    output Real s;
  algorithm
    s := u[3];
  end acceleration;
  parameter Real j1 = 1, j2 = 3;
  Real phi1(start = 0, fixed = true), w1(start = 0, fixed = true), a1;
  Real phi2, w2, a2, torque;
equation
  der(phi1) = w1;
  der(w1) = a1;
  j1 * a1 = 8 - torque;
  phi2 = state({phi1, w1, a1}, time);
  w2 = der(phi2);
  a2 = der(w2);
  torque = j2 * a2;
  annotation (experiment(StopTime = 2));
end M;
