// A relation need not have a meaning where another one says that it is not asked for: as a factor of `and`, in
// a branch, behind a Boolean variable, negated, in floor(), and through a variable that is NaN within the step.
// z = 1 - sin(t) is below 1/2 from pi/6 to 5/6 pi; sqrt(z - 1/2) = 0.3 where sin(t) = 0.41.
//? at 0.3 both 1 0
//? at 0.3 negated 0 0
//? at 0.45 negated 1 0
//? at 0.5 both 0 0
//? at 0.5 branch 1 0
//? at 0.2 branch 2 0
//? at 1.5 both 0 0
//? at 1.5 branch 0 0
//? at 1.5 root 0 0
//? at 1.5 whole 7 0
//? at 2.65 both 0 0
//? at 2.65 branch 1 0
//? at 0.2 whole 2 0
//? value both 1 0
//? value branch 2 0
//? value negated 2 0
//? value falls 1 0
//? value fellat 0.42245406218675574 1e-6
//? value whole 3 0
//? value root 0.88284515 1e-6
model GuardedRelations
  Real z(start = 1, fixed = true), both, branch, root, whole, fellat(start = 0, fixed = true);
  Integer negated(start = 0, fixed = true), falls(start = 0, fixed = true);
  Boolean above = z > 0.5;
equation
  der(z) = -cos(time);
  both = if z > 0.5 and sqrt(z - 0.5) > 0.4 then 1 else 0;
  branch = if not above then 0 elseif log(z - 0.5) > -1.5 then 2 else 1;
  root = if z > 0.5 then sqrt(z - 0.5) else 0;
  whole = if z > 0.5 then floor(4*sqrt(z - 0.5)) else 7;
  when above and not sqrt(z - 0.5) > 0.3 then
    negated = pre(negated) + 1;
  end when;
  when root < 0.3 then
    falls = pre(falls) + 1;
    fellat = time;
  end when;
  annotation(experiment(StopTime = 6, Interval = 0.05, Tolerance = 1e-9));
end GuardedRelations;
