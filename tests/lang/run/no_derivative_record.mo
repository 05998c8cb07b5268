// Properties are handed to functions as a record, whose derivatives noDerivative spares: one that has none (floor) does not matter.
//? value rho 2.5 1e-9
//? value p 2 1e-9
model M
  record Properties
    Real value;
    Real slope;
    Real level;
  end Properties;
  function properties
    input Real p;
    output Properties r;
  algorithm
    r.level := floor(p);
    r.slope := 0.5;
    r.value := 1.5 + 0.5*p;
  end properties;
  function density
    input Real p;
    input Properties r;
    output Real rho;
  algorithm
    rho := r.value;
    annotation (derivative(noDerivative = r) = density_der);
  end density;
  function density_der
    input Real p;
    input Properties r;
    input Real p_der;
    output Real rho_der;
  algorithm
    rho_der := r.slope*p_der;
  end density_der;
  Real p(start = 1, fixed = true, stateSelect = StateSelect.prefer), rho;
  Properties r = properties(p);
equation
  rho = density(p, r);
  der(rho) = 0.5;
  annotation (experiment(StopTime = 1));
end M;
