// What initial equations say of the left limit of a variable that never changes, or is equal to another one from the
// start on: it was different before.
//? value before 1 0
//? value enabled 1 0
//? value twin 0 0
model PastOfAConstant
  Boolean enabled = true;
  Boolean on = time > 0.5, twin = on;
  Integer before;
initial equation
  pre(enabled) = false;
  pre(on) = true;
  pre(twin) = false;
equation
  when initial() then
    before = if edge(enabled) and change(on) and not change(twin) then 1 else 2;
  end when;
  annotation(experiment(StopTime = 0.4));
end PastOfAConstant;
