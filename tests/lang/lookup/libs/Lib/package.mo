within;
package Lib
  constant Real k = 1;
  package Inside
    model I
    end I;
  end Inside;
end Lib;
