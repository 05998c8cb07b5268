// outer names the nearest inner around; inner outer passes on.
package InnerOuter
  model Leaf
    outer Real t;
    Real x = 2 * t;
  end Leaf;
  model Room
    inner outer Real t;
    Leaf leaf;
  equation
    t = 1;
  end Room;
  model M
    inner Real t;
    Leaf near;
    model Group
      Leaf far;
    end Group;
    Group group;
  equation
    t = time;
  end M;
end InnerOuter;
//? class InnerOuter.M
