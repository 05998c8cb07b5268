model FailPower
  Real y = time**2;
end FailPower;
