// A component that is inner and outer: inside of the class its name means the outer one.
//? value part.seen 1 0
//? value part.deep.seen 11 0
//? value level.x 1 0
model InnerOuter
  model Level
    Real x;
  end Level;
  model Deep
    outer Level level;
    Real seen = level.x;
  end Deep;
  model Part
    inner outer Level level(x=seen + 10);
    Deep deep;
    Real seen = level.x;
  end Part;
  inner Level level(x=1);
  Part part;
end InnerOuter;
