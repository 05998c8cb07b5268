// A record constructor is applied to the elements of arrays; defaults follow from the other arguments of each element.
//? value r[2].b 4 0
//? value s[2].b 7 0
//? value s[2].c[2] 7 0
//? value t[2,1].c[2] 6 0
//? value u[2].c[1] 3 0
//? value u[1].b 10 0
//? value c[2].im 4 0
//? value d[2].im 3 0
//? value e[2].im 6 0
//? value none 0 0
package RecordsOfArrays
  record R
    Real a = 1;
    Real b = 2*a;
    Real c[2] = {a, b};
  end R;
  operator record C
    Real re;
    Real im;
    encapsulated operator 'constructor'
      import RecordsOfArrays.C;
      function from_reals
        input Real re;
        input Real im = 2*re;
        output C result(re = re, im = im);
      algorithm
      end from_reals;
    end 'constructor';
  end C;
  model Test
    R r[2] = R({1, 2});
    R s[2] = R(a = {1, 2}, b = 7);
    R t[2,2] = R([1, 2; 3, 4]);
    R u[2] = R(a = 5, c = [1, 2; 3, 4]);
    C c[2] = C({1, 2});
    C d[2] = C({1, 2}, 3);
    C e[2] = C(1, {5, 6});
    R empty[0] = R(zeros(0));
    Real none = sum(empty.a);
  end Test;
end RecordsOfArrays;
model Test
  extends RecordsOfArrays.Test;
end Test;
