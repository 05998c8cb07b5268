// An input that is a function is applied in part, like a function of its own name; constants without value are inputs of
// record constructors.
//? value over_both 4 1e-12
//? value with_factor 12 1e-12
//? value c 2.5 0
//? value a 5 0
package Applied
  partial function OfOne
    input Real x;
    output Real y;
  end OfOne;
  partial function OfTwo
    input Real x;
    input Real y;
    output Real z;
  end OfTwo;
  function trapezium
    input Real a;
    input Real b;
    input OfOne f;
    output Real s = (b - a)*(f(a) + f(b))/2;
  algorithm
  end trapezium;
  function once
    input Real x;
    input Real a;
    input Real b;
    input OfTwo f;
    output Real s = trapezium(a, b, function f(x = x));
  algorithm
  end once;
  function twice
    input Real a;
    input Real b;
    input OfTwo f;
    output Real s = trapezium(a, b, function once(a = a, b = b, f = f));
  algorithm
  end twice;
  function product_
    extends OfTwo;
    input Real factor = 1;
  algorithm
    z := factor*x*y;
  end product_;
  record Constants
    constant Integer a;
    final constant Integer b = 7;
    Real c;
  end Constants;
end Applied;
model AppliedInputs
  Real over_both = Applied.twice(0, 2, Applied.product_);
  Real with_factor = Applied.twice(0, 2, function Applied.product_(factor = 3));
  Applied.Constants constants = Applied.Constants(5, 2.5);
  Real c = constants.c;
  Integer a = constants.a;
end AppliedInputs;
