// What functions assign on some of their paths only.

function one_branch
  input Real x;
  output Real y;
algorithm
  if x > 0 then
    y := x;
  end if;
end one_branch;
model ToldOneBranch
  Real y = one_branch(time);
end ToldOneBranch;

function deep
  input Real x;
  output Real y, z;
algorithm
  z := 1;
  if x > 0 then
    y := x;
  elseif x > -1 then
    if x > -0.5 then
      y := 2;
    end if;
  else
    y := 3;
  end if;
end deep;
model ToldDeep
  Real y = deep(time);
end ToldDeep;

function of_local
  input Real x;
  output Real y;
protected
  Real t;
algorithm
  if x > 0 then
    t := x;
  end if;
  y := 2 * t;
end of_local;
model ToldLocal
  Real y = of_local(time);
end ToldLocal;

function early
  input Real x;
  output Real y;
algorithm
  if x > 0 then
    return;
  end if;
  y := 1;
end early;
model ToldReturn
  Real y = early(time);
end ToldReturn;

function search
  input Real x[:];
  output Integer at;
algorithm
  for i in 1:size(x, 1) loop
    if x[i] > 0.5 then
      at := i;
      break;
    end if;
  end for;
end search;
model ToldSearch
  Integer n = search({time, 2 * time});
end ToldSearch;

function elements
  input Real x;
  output Real y[2];
algorithm
  if x > 0 then
    y := {1, x};
  end if;
end elements;
model ToldArray
  Real y[2] = elements(time);
end ToldArray;

function all_paths
  input Real x;
  output Real y;
  output Real other = 5;
  output Integer n;
protected
  Real t, u, only, v[2];
  Integer i;
algorithm
  if x > 0 then
    y := x;
    only := 1;
  elseif x < -1 then
    y := 2;
    u := 1;
  else
    y := 3;
  end if;
  if x > 0 then
    y := y + only;
    other := 1;
  end if;
  if x > 5 then
    t := 1;
  else
    assert(false, "too small");
  end if;
  y := y + t;
  for k in 1:2 loop
    v[k] := k;
  end for;
  i := 0;
  while true loop
    i := i + 1;
    if i > 3 then
      n := i;
      break;
    end if;
  end while;
  y := y + sum(v) + n;
end all_paths;
model GoodPaths
  Real y = all_paths(time + 6);
end GoodPaths;
