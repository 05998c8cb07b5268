// Functions as arguments, as they are and with some inputs given.
//? value area 8.666666666666666 1e-12
//? value scaled 26 1e-12
//? value chosen 4 1e-12
//? value root 1.414213562373095 1e-9
//? value shifted 1 1e-9
//? value mean 6 1e-12
model FunctionArguments
  partial function OneInput
    input Real u;
    output Real y;
  end OneInput;
  function Square
    extends OneInput;
  algorithm
    y := u*u;
  end Square;
  function Line
    extends OneInput;
    input Real k = 1;
    input Real d = 0;
  algorithm
    y := k*u + d;
  end Line;
  function Parabola
    extends OneInput;
    input Real k;
  algorithm
    y := k*u^2;
  end Parabola;
  function simpson
    input OneInput f;
    input Real a, b;
    output Real area;
  algorithm
    area := (b - a)/6*(f(a) + 4*f((a + b)/2) + f(b));
  end simpson;
  function bisect "loops: cannot be executed before the run"
    input OneInput f;
    input Real a, b, y;
    output Real x;
  protected
    Real low, high;
  algorithm
    low := a;
    high := b;
    while high - low > 1e-12 loop
      x := (low + high)/2;
      if f(x) > y then
        high := x;
      else
        low := x;
      end if;
    end while;
  end bisect;
  Real area = simpson(function Square(), 1, 3*time);
  Real scaled = simpson(function Parabola(k=3), 1, 3*time);
  Real chosen = simpson(function Line(d=1), 0, 2*time);
  Real root = bisect(function Square(), 0, 3*time, 2*time);
  // What is given may change, and be a record.
  record Data
    Real k, d[2];
  end Data;
  function Poly
    extends OneInput;
    input Data data;
    input Real x;
  algorithm
    y := data.k*u + data.d[1] + data.d[2]*x;
  end Poly;
  Data data(k = 2*time, d = {time, 3});
  Real shifted = bisect(function Poly(data = data, x = time), -3, 5, 6*time);
  Real mean = simpson(function Poly(data = data, x = 0), 2, 3);
end FunctionArguments;
