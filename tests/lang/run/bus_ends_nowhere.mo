// A flange on a bus that one of the buses connected to it has no use for: nothing flows there.
//? value axle.flange.tau 0 0
//? value axle.bus.wheel.phi 1 1e-12
//? value user.load.tau 2 1e-12
//? value user.source.flange.tau 2 1e-12
connector Flange
  Real phi;
  flow Real tau;
end Flange;
expandable connector Bus
end Bus;
model Angle
  Flange flange;
equation
  flange.phi = time;
end Angle;
model Axle
  Bus bus;
  Flange flange;
  Angle angle;
equation
  connect(angle.flange, flange);
  connect(flange, bus.wheel);
end Axle;
model Bystander
  Bus bus;
end Bystander;
model User
  Bus bus;
  Angle source;
  Flange load;
equation
  connect(source.flange, bus.door);
  connect(bus.door, load);
end User;
model Torque
  Flange flange;
equation
  flange.tau = -2;
end Torque;
model BusEndsNowhere
  Torque torque;
  Axle axle;
  Bystander bystander;
  User user;
  Bus bus;
  Real door;
equation
  connect(axle.bus, bystander.bus);
  connect(axle.bus, bus);
  connect(user.bus, bystander.bus);
  connect(torque.flange, user.load);
  door = user.source.flange.tau;
  annotation(experiment(StopTime = 1));
end BusEndsNowhere;
