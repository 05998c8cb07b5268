package Bad
  model Both
  end Both;
end Bad;
