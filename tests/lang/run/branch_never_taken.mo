// y = if abs(T) < eps then k*u else x cannot be solved for u where T = 0.5: the equation that gives u is another one.
//? value x 1.2642411176571153 1e-8
//? value u 1 1e-12
//? value lag.y 1.2642411176571153 1e-8
//? rtol 1e-10
model BranchNeverTaken
  block Lag
    parameter Real T = 0.5, k = 2;
    Real u, y, x(start = 0, fixed = true), period = T;
  equation
    T*der(x) = k*u - x;
    y = if abs(period) <= 1e-15 then k*u else x;
  end Lag;
  Lag lag;
  Real u, x;
equation
  lag.u = u;
  x = lag.y;
  0 = (u - 1)*(1 + x^2);
  annotation(experiment(StopTime = 0.5));
end BranchNeverTaken;
