// ModelicaFFT_kiss_fftr.

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "arges/external/registry.h"

namespace arges::external {

namespace {

using Complex = std::complex<double>;

// Mixed radix: n = p m, where p is the smallest prime factor. `roots` are the n-th roots of unity
// of the whole transform, `stride` of them apart.
void transform(const Complex* in, std::size_t step, Complex* out, std::size_t n,
               const std::vector<Complex>& roots) {
  if (n == 1) {
    *out = *in;
    return;
  }
  std::size_t p = 2;
  while (p * p <= n && n % p != 0) ++p;
  if (n % p != 0) p = n;
  const std::size_t m = n / p, stride = roots.size() / n;
  for (std::size_t r = 0; r < p; ++r) transform(in + r * step, step * p, out + r * m, m, roots);
  std::vector<Complex> column(p);
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t r = 0; r < p; ++r) column[r] = out[r * m + k];
    for (std::size_t q = 0; q < p; ++q) {
      const std::size_t index = k + q * m;
      Complex sum = 0;
      for (std::size_t r = 0; r < p; ++r) sum += column[r] * roots[index * r % n * stride];
      out[index] = sum;
    }
  }
}

// Arguments: u, its size, work, its size, amplitudes, phases. Result: 0, or 1 when the size is odd.
void real_fft(const Call& c) {
  const auto n = static_cast<std::size_t>(c.count(0));
  if (n % 2 != 0 || n == 0) return c.result(1);
  std::vector<Complex> roots(n), in(n), out(n);
  for (std::size_t k = 0; k < n; ++k) {
    const double angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    roots[k] = {std::cos(angle), std::sin(angle)};
    in[k] = c.array(0)[k];
  }
  transform(in.data(), 1, out.data(), n, roots);
  const std::size_t half = n / 2 + 1;
  for (std::size_t k = 0; k < half; ++k) {
    c.array(4)[k] = std::abs(out[k]) / static_cast<double>(half);
    c.array(5)[k] = std::atan2(out[k].imag(), out[k].real());
  }
  c.result(0);
}

const Entry kTable[] = {{"ModelicaFFT_kiss_fftr", 6, real_fft}};

}  // namespace

std::span<const Entry> fourier_functions() { return kTable; }

}  // namespace arges::external
