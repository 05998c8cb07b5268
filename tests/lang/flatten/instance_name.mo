// The name of an instance begins with the class that is run, without its packages.
package Library
  model Part
    parameter String name = getInstanceName();
  end Part;

  model Vehicle
    Part part;
    parameter String name = getInstanceName();
  end Vehicle;
end Library;

//? class Library.Vehicle
