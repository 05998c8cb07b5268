# What tests of experiments work on; sourced.

write_filter() {
  cat >filter.mo <<'MODEL'
model Filter
  input Real u(start = 1);
  output Real y;
  parameter Real k = 1;
  Real x(start = 0, fixed = true);
equation
  der(x) = k*(u - x);
  y = x;
end Filter;
MODEL
}

# A system entity structure with two choices and a range, into the file $1.
write_kinds() {
  cat >"$1" <<'TOML'
root = "A"
[base]
model = "C1"
parameters.lf = "lf"
[entity.A]
attributes.lf = { range = "100:1000" }
specialisation.kind.choices = ["X", "Y"]
[entity.X]
[entity.Y]
TOML
}
