within Lib;
model One
  extends Sub.Two;
end One;
