// Clocks: sampled with the left limit, counted, made slower, faster and later, held; an event as clock.
//? at 0.02 count 1 0
//? at 0.02 first 1 0
//? at 0.12 first 0 0
//? at 0.95 count 10 0
//? at 0.95 product 7.833269096274834 1e-9
//? at 0.95 held 7.833269096274834 1e-9
//? at 0.95 slow 10 0
//? at 0.85 slow 7 0
//? at 0.04 later 0 0
//? at 0.06 later 1 0
//? at 0.14 later 1 0
//? at 0.16 later 2 0
//? at 0.14 fast 3 0
//? at 0.16 fast 4 0
//? value width 0.3 0
//? value half 0.05 0
//? at 0.55 jump 0 0
//? at 0.65 jump 1 0
//? at 0.24 events 0 0
//? at 0.26 events 1 0
//? value events 3 0
//? value spaces 0.3 1e-9
//? at 0.95 everysecond 3 0
//? at 0.5 everysecond 1 0
model Clocks
  Clock base = Clock(1, 10);
  Real u = sin(time), step = if time >= 0.5 then 1 else 0;
  Real s, jump, count(start=0), product, slow, later, fast(start=0), held, width, half, spaces;
  Boolean first;
  Integer events(start=0), everysecond;
  Boolean c = time >= 0.25 and time < 0.3 or time >= 0.6 and time < 0.7 or time >= 0.9;
equation
  s = sample(u, base);
  jump = sample(step, base);
  when base then
    count = previous(count) + 1;
  end when;
  2*product = 2*count*s;
  first = firstTick(count);
  slow = subSample(count, 3);
  width = interval(slow);
  later = shiftSample(count, 1, 2);
  fast = previous(fast) + min(1, superSample(count, 2));
  half = interval(fast);
  held = hold(product);
  when Clock(c, 0.1) then
    events = previous(events) + 1;
    spaces = interval();
  end when;
  everysecond = subSample(events, 2);
  annotation (experiment(StopTime=1, Interval=0.02));
end Clocks;
