// All four kinds of imports, and a name that is sought from the top.
package Imports
  package Constants
    constant Real one = 1;
    constant Real two = 2;
    package Deep
      constant Real three = 3;
      constant Real four = 4;
    end Deep;
  end Constants;
  model M
    import Imports.Constants.one;
    import zwei = Imports.Constants.two;
    import Imports.Constants.Deep.*;
    import Imports.Constants.{Deep};
    Real x = one + zwei * three + four * Deep.three;
    Real y = .Imports.Constants.one;
  end M;
end Imports;
//? class Imports.M
