// A package inside of a partial package holds a partial model, which is inherited from outside.
//? value y 2 0
partial package Services
  package Animation
    partial model Shape
      Real y;
    end Shape;
  end Animation;
end Services;

model M
  extends Services.Animation.Shape;
equation
  y = 2;
end M;
