//? value x 0.75 1e-9
//? value n 1 0
model TerminateInWhenIf
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  when {x > 0.25, x > 0.75} then
    if x > 0.5 then
      terminate("far enough");
      assert(x < 1, "not so far");
      n = pre(n);
    else
      n = pre(n) + 1;
    end if;
  end when;
  annotation(experiment(StopTime = 1));
end TerminateInWhenIf;
