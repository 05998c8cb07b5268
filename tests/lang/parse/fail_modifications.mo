model M
  A a(model B = C);
  A b(redeclare model B extends C; end B);
  A c(x[1] = 2);
  A d(final each x = 2);
  A e(redeclare Real x constrainedby Real);
end M;
