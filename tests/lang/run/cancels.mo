// An equation in which its only unknown cancels has no solution.
//? fails singular: linear equation for y: y = y + 1
model Cancels
  Real y = y + 1;
end Cancels;
