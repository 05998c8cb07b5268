#include "arges/random/portable_math.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace arges::random {

namespace {

constexpr double kLn2High = 6.93147180369123816490e-01, kLn2Low = 1.90821492927058770002e-10;

template <int N>
double horner(const double (&c)[N], double x) {
  double sum = c[N - 1];
  for (int i = N - 2; i >= 0; --i) sum = sum * x + c[i];
  return sum;
}

}  // namespace

// x = 2^k (1 + f), sqrt(1/2) < 1 + f < sqrt(2); with s = f / (2 + f) the series in s^2 of
// log(1 + f) = 2 artanh(s) is replaced by a minimax polynomial (the method of fdlibm).
double portable_log(double x) {
  std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  bits += 0x3ff0000000000000u - 0x3fe6a09e667f3bcdu;
  const int k = static_cast<int>(bits >> 52) - 1023;
  bits = (bits & 0x000fffffffffffffu) + 0x3fe6a09e667f3bcdu;
  const double f = std::bit_cast<double>(bits) - 1;
  const double s = f / (2 + f), z = s * s, w = z * z;
  const double even = w * (3.999999999940941908e-01 +
                           w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  const double odd = z * (6.666666666666735130e-01 +
                          w * (2.857142874366239149e-01 +
                               w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  const double r = even + odd, half = 0.5 * f * f;
  return k * kLn2High - ((half - (s * (half + r) + k * kLn2Low)) - f);
}

double portable_exp(double x) {
  if (x > 709.782712893384) return std::numeric_limits<double>::infinity();
  if (x < -745.133219101941) return 0;
  const double k = std::floor(x * 1.44269504088896338700 + 0.5);
  const double high = x - k * kLn2High, low = k * kLn2Low, r = high - low, t = r * r;
  const double c =
      r - t * (1.66666666666666019037e-01 +
               t * (-2.77777777770155933842e-03 +
                    t * (6.61375632143793436117e-05 +
                         t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))));
  return std::ldexp(1 + (r * c / (2 - c) - low + high), static_cast<int>(k));
}

double portable_log1p(double x) {
  const double sum = 1 + x;
  if (sum == 1) return x;
  return portable_log(sum) + (x - (sum - 1)) / sum;
}

double normal_quantile(double p) {
  static constexpr double kA[] = {3.3871328727963666080e0, 1.3314166789178437745e2,
                                  1.9715909503065514427e3, 1.3731693765509461125e4,
                                  4.5921953931549871457e4, 6.7265770927008700853e4,
                                  3.3430575583588128105e4, 2.5090809287301226727e3};
  static constexpr double kB[] = {1.0,
                                  4.2313330701600911252e1,
                                  6.8718700749205790830e2,
                                  5.3941960214247511077e3,
                                  2.1213794301586595867e4,
                                  3.9307895800092710610e4,
                                  2.8729085735721942674e4,
                                  5.2264952788528545610e3};
  static constexpr double kC[] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                  5.76949722146069140550e0,  3.64784832476320460504e0,
                                  1.27045825245236838258e0,  2.41780725177450611770e-1,
                                  2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static constexpr double kD[] = {1.0,
                                  2.05319162663775882187e0,
                                  1.67638483018380384940e0,
                                  6.89767334985100004550e-1,
                                  1.48103976427480074590e-1,
                                  1.51986665636164571966e-2,
                                  5.47593808499534494600e-4,
                                  1.05075007164441684324e-9};
  static constexpr double kE[] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                  1.78482653991729133580e0,  2.96560571828504891230e-1,
                                  2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                  2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static constexpr double kF[] = {1.0,
                                  5.99832206555887937690e-1,
                                  1.36929880922735805310e-1,
                                  1.48753612908506148525e-2,
                                  7.86869131145613259100e-4,
                                  1.84631831751005468180e-5,
                                  1.42151175831644588870e-7,
                                  2.04426310338993978564e-15};
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * horner(kA, r) / horner(kB, r);
  }
  double r = std::sqrt(-portable_log(q < 0 ? p : 1 - p));
  double value;
  if (r <= 5) {
    r -= 1.6;
    value = horner(kC, r) / horner(kD, r);
  } else {
    r -= 5;
    value = horner(kE, r) / horner(kF, r);
  }
  return q < 0 ? -value : value;
}

}  // namespace arges::random
