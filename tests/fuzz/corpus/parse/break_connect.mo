model M
  extends A(break connect);
end M;
