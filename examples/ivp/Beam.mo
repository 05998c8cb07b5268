model Beam "Elastic, inextensible beam, clamped at one end, pulled at the other until t = pi"
  constant Real pi = 3.141592653589793;
  constant Integer n = 40 "Links";
  Real theta[n](each start = 0, each fixed = true) "Angles of the links";
  Real omega[n](each start = 0, each fixed = true);
  Real force = if time > pi then 0 else 1.5 * sin(time)^2 "In the directions -x and +y";
  Real v[n] "Moments of stiffness and of the force";
  Real w[n] "Forces along the links";
  Real c[n - 1] = {cos(theta[i + 1] - theta[i]) for i in 1:n - 1};
  Real s[n - 1] = {sin(theta[i + 1] - theta[i]) for i in 1:n - 1};
  Real push[n] = {n^2 * force * (cos(theta[i]) + sin(theta[i])) for i in 1:n};
equation
  der(theta) = omega;
  v[1] = n^4 * (-3 * theta[1] + theta[2]) + push[1];
  for i in 2:n - 1 loop
    v[i] = n^4 * (theta[i - 1] - 2 * theta[i] + theta[i + 1]) + push[i];
  end for;
  v[n] = n^4 * (theta[n - 1] - theta[n]) + push[n];

  w[1] - c[1] * w[2] = s[1] * v[2] + omega[1]^2;
  for i in 2:n - 1 loop
    -c[i - 1] * w[i - 1] + 2 * w[i] - c[i] * w[i + 1] = -s[i - 1] * v[i - 1] + s[i] * v[i + 1] + omega[i]^2;
  end for;
  -c[n - 1] * w[n - 1] + 3 * w[n] = -s[n - 1] * v[n - 1] + omega[n]^2;

  der(omega[1]) = v[1] - c[1] * v[2] + s[1] * w[2];
  for i in 2:n - 1 loop
    der(omega[i]) = -c[i - 1] * v[i - 1] + 2 * v[i] - c[i] * v[i + 1] - s[i - 1] * w[i - 1] + s[i] * w[i + 1];
  end for;
  der(omega[n]) = -c[n - 1] * v[n - 1] + 3 * v[n] - s[n - 1] * w[n - 1];
  annotation(experiment(StopTime = 5));
end Beam;
