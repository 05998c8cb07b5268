//! base 0.1.0
package 'M'
  record 'R'
    Real 'x';
  end 'R';
  pure constant function 'f'
    input Real 'u';
    output Real 'y';
  algorithm
    'y' := 'u';
  end 'f';
  model 'M' "example"
    parameter Real 'p' = 1.0;
    parameter equation guess('a.x') = 'p';
    Real 'a.x'(start = 'p', fixed = true);
    Real['n'] 'v';
  initial equation
    'a.x' = 1;
  equation
    der('a.x') = -'a.x';
  end 'M';
end 'M';
