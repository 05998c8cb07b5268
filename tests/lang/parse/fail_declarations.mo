model M
  x = 1;
  der(x) = 2;
  if x > 1 then x = 2; end if;
  Real y;
  parameter flow Real a;
  input output Real b;
  final redeclare Real c;
  Real d = 1 constrainedby Real;
  partial encapsulated model N
  end N;
  Real e := 2;
  Real f "one" "two";
  then;
  ;
end M;
