// In one mode the equation that gives s does not contain it; s then keeps its value, which is told.
//? warns t = 0: more than one solution, of which one near the values before is taken: linear equation for s
//? at 0.5 s 0 1e-15
//? value s 3 1e-12
model VanishingFactor
  Real s, a, x(start=0, fixed=true);
  Boolean locked = time < 0.75;
equation
  a = if locked then 0 else s - 2;
  a = if time < 0.75 then 0 else 1;
  der(x) = s;
  annotation (experiment(StopTime=1));
end VanishingFactor;
