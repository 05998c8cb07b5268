model M
  /* not closed
end M;
