/* Right-hand sides as a C programmer writes them. */
#include "bench/equations/hand_written.h"

/* p: kr, kf, lf, dr, dm, p */
void bench_c1(const double* p, const double* x, double* d) {
  const double kr = p[0], kf = p[1], lf = p[2], dr = p[3], dm = p[4], inflow = p[5];
  const double f = x[0], m = x[1], r = x[2];
  d[2] = -dr * r + kr * m * f;
  d[1] = dr * r - dm * m + kf * f * f - kr * m * f;
  d[0] = dr * r + 2 * dm * m - kr * m * f - 2 * kf * f * f - lf * f + inflow;
}

/* p: k, then r[n], c[n]; the first node is fed by sin(t), which is p[1 + 2 n]. */
void bench_chain(const double* p, const double* x, double* d, int n) {
  const double k = p[0], *r = p + 1, *c = r + n;
  const double source = p[1 + 2 * n];
  for (int i = 0; i < n; ++i) {
    const double left = i > 0 ? x[i - 1] : source;
    double current = (left - x[i]) / r[i];
    if (i + 1 < n) current -= (x[i] - x[i + 1]) / r[i + 1];
    d[i] = (current - k * x[i] * x[i] * x[i]) / c[i];
  }
}

/* p: conductivity of each cell; walls of temperature 0. */
void bench_grid(const double* p, const double* u, double* d, int n) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const int k = i * n + j;
      double sum = -4 * u[k];
      if (i > 0) sum += u[k - n];
      if (i + 1 < n) sum += u[k + n];
      if (j > 0) sum += u[k - 1];
      if (j + 1 < n) sum += u[k + 1];
      d[k] = p[k] * sum;
    }
  }
}
