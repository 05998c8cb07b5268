// The declared derivative says the rate where noDerivative leaves inputs out, whatever the statements say: the body moves as it is told to.
//? value w 3 1e-15
//? value tau 10 1e-15
//? value z 7 1e-12
//? value phi 2 1e-15
model M
  function position
    input Real told[3] "position, speed, acceleration";
    input Real t;
    output Real q;
  algorithm
    q := told[1];
    annotation (derivative(noDerivative = told) = speed);
  end position;
  function speed
    input Real told[3];
    input Real t;
    input Real t_der;
    output Real qd;
  algorithm
    qd := told[2];
    annotation (derivative(noDerivative = told, order = 2) = acceleration);
  end speed;
  function acceleration
    input Real told[3];
    input Real t;
    input Real t_der;
    input Real t_der2;
    output Real qdd;
  algorithm
    qdd := told[3];
  end acceleration;
  Real phi, w, tau, z(start = 5, fixed = true);
  discrete Real a(start = 4, fixed = true);
equation
  phi = position({2, 3, a}, time);
  w = der(phi);
  2*der(w) = tau;
  when time > 0.5 then
    a = 5;
  end when;
  // A loop through the function: its Jacobian is that of the statements.
  der(z) = position({z - phi - 1, 3, 5}, time) - z + 5;
  annotation (experiment(StopTime = 1));
end M;
