// What noDerivative leaves out of the first derivative is differentiated for the second, of which nothing is declared.
//? value v 1.5352533251491205 1e-14
//? value w -2.0990888061629356 1e-14
model M
  function f
    input Real x;
    input Real aux;
    output Real y;
  algorithm
    y := x*aux;
    annotation (derivative(noDerivative = aux) = f_der);
  end f;
  function f_der
    input Real x;
    input Real aux;
    input Real x_der;
    output Real y_der;
  algorithm
    y_der := aux*x_der;
  end f_der;
  Real x = sin(time), aux = 2 + x, y, v, w;
equation
  y = f(x, aux);
  v = der(y);
  w = der(v);
  annotation (experiment(StopTime = 1));
end M;
