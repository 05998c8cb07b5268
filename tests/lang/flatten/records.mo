// Records: constructors, defaults, arrays of them, values that come as a whole.
package Records
  record Point
    Real x = 0;
    Real y = 0;
  end Point;
  record Line
    Point from;
    Point to;
    parameter Real width = 1;
  end Line;
  function mid
    input Line l;
    output Point p;
  algorithm
    p := Point((l.from.x + l.to.x) / 2, (l.from.y + l.to.y) / 2);
  end mid;
  model M
    Point p(x = time);
    Point q = Point(1, y = time);
    Line l = Line(p, q, 2);
    Point m = mid(l);
    Point list[2] = {p, q};
    Real xs[2] = list.x;
  end M;
end Records;
//? class Records.M
