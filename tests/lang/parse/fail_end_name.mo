model Bar
  Real x;
equation
  x = 1;
end Foo;
model Second
end Second;
