package Fail
  partial model World
    parameter Real g = 9.81;
  end World;
  model Part
    outer World world;
    Real x = world.g;
  end Part;
  model M
    Part part;
  end M;
end Fail;
//? class Fail.M
