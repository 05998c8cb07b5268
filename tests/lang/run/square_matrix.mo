// A size of a matrix that is another of its own sizes: x'' = -x as a state space model.
//? value s.x[1] 0.5403023058681398 1e-5
//? value s.x[2] -0.8414709848078965 1e-5
//? value t.n 3 0
model square_matrix
  block StateSpace
    parameter Real A[:, size(A, 1)] = identity(3);
    parameter Integer n = size(A, 2);
    Real x[size(A, 1)];
  initial equation
    x[1] = 1;
    x[2:n] = zeros(n - 1);
  equation
    der(x) = A*x;
  end StateSpace;
  StateSpace s(A = [0, 1; -1, 0]);
  StateSpace t;
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end square_matrix;
