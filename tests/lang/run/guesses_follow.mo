// The unknowns of the loop have no start values but one; from that the others follow. At zero the property is not defined.
//? value p 2e5 1e-3
//? value m 1 1e-8
model GuessesFollow
  function density
    input Real p, T;
    output Real rho;
  algorithm
    assert(p > 1e4 and T > 200, "outside of the range of the medium");
    rho := p/(287*T)*(1 + 1e-9*(p - 1e5));
  end density;
  parameter Real p_start = 1.5e5, T_start = 300;
  Real p(start = p_start), T(start = T_start), rho, h, q, m;
equation
  rho = density(p, T);
  h = 1004*T + 1e-3*rho;
  q = h*m;
  m*rho = 2e5*(1 + 1e-4)/(287*300);
  q + 1e-9*p*m = 1004*300 + 1e-3*2e5*(1 + 1e-4)/(287*300) + 2e-4;
  p*m*m = 2e5;
end GuessesFollow;
