#pragma once
/* Right-hand sides as a C programmer writes them: what native code is measured against. */

#ifdef __cplusplus
extern "C" {
#endif

void bench_c1(const double* p, const double* x, double* d);
void bench_chain(const double* p, const double* x, double* d, int n);
void bench_grid(const double* p, const double* u, double* d, int n);

#ifdef __cplusplus
}
#endif
