//? path libs
//? find Ver.old in M
model M
  annotation(uses(Ver(version = "1.9.0")));
end M;
