// Three currents whose sum is zero, and a fourth variable that is their mean: no state, though both
// equations have the currents by structure.
//? value mean 0 1e-12
//? value v0 0 1e-12
//? value neutral 4 1e-12
//? value i[1] -1 1e-12
//? value i[2] -0.5 1e-12
//? value i[3] 1.5 1e-12
//? value total 3 1e-12
model StarWithoutNeutral
  parameter Real R = 2;
  Real u[3] = {2, 3, 7}, i[3], mean, v0, neutral, total;
equation
  v0 = 0.1*der(mean);
  mean = (1/3)*sum(i);
  sum(i) = 0;
  R*i = u .- v0 .- neutral;
  total - 3 = -2*(i[1] + i[3]) - 2*i[2];
end StarWithoutNeutral;
