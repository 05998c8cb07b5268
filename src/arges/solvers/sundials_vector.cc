#include "arges/solvers/sundials_vector.h"

#include <cmath>

#include <nvector/nvector_serial.h>

namespace arges {

namespace {

struct View {
  explicit View(N_Vector v) : data(NV_DATA_S(v)), size(NV_LENGTH_S(v)) {}
  double& operator[](sunindextype i) const { return data[i]; }
  double* data;
  sunindextype size;
};

// z = a x + b y; z may be x or y
void linear_sum(double a, N_Vector x, double b, N_Vector y, N_Vector z) {
  const View from(x), other(y), to(z);
  for (sunindextype i = 0; i < to.size; ++i) to[i] = a * from[i] + b * other[i];
}

// z = c x
void scale(double c, N_Vector x, N_Vector z) {
  const View from(x), to(z);
  for (sunindextype i = 0; i < to.size; ++i) to[i] = c * from[i];
}

// sqrt(mean((x w)^2))
double weighted_norm(N_Vector x, N_Vector w) {
  const View values(x), weights(w);
  double sum = 0;
  for (sunindextype i = 0; i < values.size; ++i) {
    const double term = values[i] * weights[i];
    sum += term * term;
  }
  return std::sqrt(sum / static_cast<double>(values.size));
}

// z = sum of c[j] x[j]; z may be x[0]
int linear_combination(int count, double* c, N_Vector* x, N_Vector z) {
  const View to(z), first(x[0]);
  for (sunindextype i = 0; i < to.size; ++i) to[i] = c[0] * first[i];
  for (int j = 1; j < count; ++j) {
    const View from(x[j]);
    for (sunindextype i = 0; i < to.size; ++i) to[i] += c[j] * from[i];
  }
  return 0;
}

// z[j] = a[j] x + y[j]; z[j] may be y[j]
int scale_add(int count, double* a, N_Vector x, N_Vector* y, N_Vector* z) {
  const View from(x);
  for (int j = 0; j < count; ++j) {
    const View other(y[j]), to(z[j]);
    for (sunindextype i = 0; i < to.size; ++i) to[i] = a[j] * from[i] + other[i];
  }
  return 0;
}

// z[j] = c[j] x[j]
int scale_each(int count, double* c, N_Vector* x, N_Vector* z) {
  for (int j = 0; j < count; ++j) scale(c[j], x[j], z[j]);
  return 0;
}

}  // namespace

void use_quick_operations(N_Vector serial) {
  N_Vector_Ops operations = serial->ops;
  operations->nvlinearsum = &linear_sum;
  operations->nvscale = &scale;
  operations->nvwrmsnorm = &weighted_norm;
  operations->nvlinearcombination = &linear_combination;
  operations->nvscaleaddmulti = &scale_add;
  operations->nvscalevectorarray = &scale_each;
}

}  // namespace arges
