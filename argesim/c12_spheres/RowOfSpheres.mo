model RowOfSpheres "ARGESIM C12: collisions in a row of spheres"
  constant Integer n = 4 "number of spheres";
  parameter Real a(unit="m") = 1 "gap between neighbours at the start";
  parameter Real d(unit="m") = 1 "diameter";
  parameter Real v0(unit="m/s") = 1 "velocity of the first sphere at the start";
  parameter Real e = 0.2 "coefficient of restitution";
  parameter Real c(unit="1/m") = 0 "quadratic drag";
  Real x[n](each unit="m", start={(i - 1)*(d + a) for i in 1:n}, each fixed=true) "positions";
  Real v[n](each unit="m/s", start={if i == 1 then v0 else 0 for i in 1:n}, each fixed=true)
    "velocities";
  Boolean hit[n - 1] "sphere i hits the next one";
  Real p[n - 1](each unit="m/s") "velocity that passes from sphere i to the next one";
  Integer hits[n - 1](each start=0, each fixed=true) "so often has it hit";
  Integer collisions = sum(hits) "of all pairs";
equation
  der(x) = v;
  der(v) = -c*v.*abs(v);
  for i in 1:n - 1 loop
    hit[i] = x[i + 1] - x[i] <= d and v[i] > v[i + 1];
    p[i] = if hit[i] then (1 + e)/2*(v[i] - v[i + 1]) else 0;
    when hit[i] then
      hits[i] = pre(hits[i]) + 1;
    end when;
  end for;
  when hit then
    reinit(v, v - cat(1, p, {0}) + cat(1, {0}, p));
  end when;
  annotation(experiment(StopTime=20));
end RowOfSpheres;
