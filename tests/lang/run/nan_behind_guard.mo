// What is not a number does no harm where something else decides.
//? value a 2 0
//? value b 1 0
//? value c 3 0
//? value d 2 0
//? value e 5 0
function Guarded
  input Real q;
  output Real y;
algorithm
  if q > 0 and sqrt(q) > 0.1 then
    y := 1;
  elseif q < 0 or sqrt(q) > 0.1 then
    y := 3;
  end if;
end Guarded;
model NanBehindGuard
  Real q = 0.5 - time;
  Real a = noEvent(if q > 0 and sqrt(q) > 0.1 then 1 else 2);
  Real b = noEvent(if q < 0 or sqrt(q) > 0.1 then 1 else 2);
  Real c = Guarded(q);
  Real d = noEvent(if q > 0 then (if sqrt(q) > 0.1 then 1 else 3) else 2);
  Real e = noEvent(if sqrt(abs(q)) > 0.1 and q < 0 then Guarded(q) + 2 else 4);
  annotation(experiment(StopTime = 1));
end NanBehindGuard;
