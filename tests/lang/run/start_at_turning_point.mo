// Newton's method has no direction at the start value, where the residual is at its largest: the solution beside it is
// meant, not one of the others far away.
//? at 0 x 1.5707963267948966 1e-12
//? at 0 y 4.71238898038469 1e-12
//? value x 1.0471975511965979 1e-12
model StartAtTurningPoint
  Real x(start = 0), y(start = 4);
equation
  cos(x) = time;
  cos(y) = time;
  annotation(experiment(StopTime = 0.5));
end StartAtTurningPoint;
