model M
  String s = "abc;
end M;
