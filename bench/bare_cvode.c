/* Three problems by plain CVODE(S): what a C programmer gets without the kernel.
 *
 *   arges_bare_cvode c1|c5|heat RTOL RUNS     prints: least time in s, error, events, steps
 *
 * Every run creates the integrator, solves, and frees it. Times are CPU times of the process. The
 * errors are relative ones at the end (c1, heat) and of the event times (c5); what they are
 * compared with is in reference_values.h. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cvodes/cvodes.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "reference_values.h"

typedef struct {
  double error;
  int events;
  long steps;
} Outcome;

static void require(int ok, const char* what) {
  if (ok) return;
  fprintf(stderr, "arges_bare_cvode: %s failed\n", what);
  exit(1);
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* C1: lithium clusters. */

static int c1_rhs(realtype t, N_Vector y, N_Vector ydot, void* data) {
  const double* x = N_VGetArrayPointer(y);
  double* d = N_VGetArrayPointer(ydot);
  const double f = x[0], m = x[1], r = x[2];
  (void)t, (void)data;
  d[0] = kC1_dr * r + 2 * kC1_dm * m - kC1_kr * m * f - 2 * kC1_kf * f * f - kC1_lf * f;
  d[1] = kC1_dr * r - kC1_dm * m + kC1_kf * f * f - kC1_kr * m * f;
  d[2] = -kC1_dr * r + kC1_kr * m * f;
  return 0;
}

static int c1_jacobian(realtype t, N_Vector y, N_Vector fy, SUNMatrix J, void* data, N_Vector a,
                       N_Vector b, N_Vector c) {
  const double* x = N_VGetArrayPointer(y);
  const double f = x[0], m = x[1];
  (void)t, (void)fy, (void)data, (void)a, (void)b, (void)c;
  SM_ELEMENT_D(J, 0, 0) = -kC1_kr * m - 4 * kC1_kf * f - kC1_lf;
  SM_ELEMENT_D(J, 0, 1) = 2 * kC1_dm - kC1_kr * f;
  SM_ELEMENT_D(J, 0, 2) = kC1_dr;
  SM_ELEMENT_D(J, 1, 0) = 2 * kC1_kf * f - kC1_kr * m;
  SM_ELEMENT_D(J, 1, 1) = -kC1_dm - kC1_kr * f;
  SM_ELEMENT_D(J, 1, 2) = kC1_dr;
  SM_ELEMENT_D(J, 2, 0) = kC1_kr * m;
  SM_ELEMENT_D(J, 2, 1) = kC1_kr * f;
  SM_ELEMENT_D(J, 2, 2) = -kC1_dr;
  return 0;
}

static Outcome run_c1(double rtol, double atol) {
  static const double reference[3] = kC1_end;
  SUNContext context;
  require(SUNContext_Create(NULL, &context) == 0, "SUNContext_Create");
  N_Vector y = N_VNew_Serial(3, context);
  double* x = N_VGetArrayPointer(y);
  x[0] = kC1_f0, x[1] = kC1_m0, x[2] = kC1_r0;
  void* cvode = CVodeCreate(CV_BDF, context);
  CVodeInit(cvode, c1_rhs, 0, y);
  CVodeSStolerances(cvode, rtol, atol);
  SUNMatrix A = SUNDenseMatrix(3, 3, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, A, context);
  CVodeSetLinearSolver(cvode, solver, A);
  CVodeSetJacFn(cvode, c1_jacobian);
  CVodeSetMaxNumSteps(cvode, -1);
  CVodeSetStopTime(cvode, kC1_stop);
  double t;
  require(CVode(cvode, kC1_stop, y, &t, CV_NORMAL) >= 0, "CVode");

  Outcome outcome = {0, 0, 0};
  CVodeGetNumSteps(cvode, &outcome.steps);
  for (int i = 0; i < 3; ++i) {
    const double error = fabs(x[i] / reference[i] - 1);
    if (!(error <= outcome.error)) outcome.error = error;
  }
  CVodeFree(&cvode);
  SUNLinSolFree(solver);
  SUNMatDestroy(A);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return outcome;
}

/* C5: two states; the event is a root of CVODE. */

typedef struct {
  double c2, c4, threshold;
} Regime;
static const Regime kRegimes[2] = {{kC5_c2_1, kC5_c4_1, kC5_upper},
                                   {kC5_c2_2, kC5_c4_2, kC5_lower}};

static int c5_rhs(realtype t, N_Vector y, N_Vector ydot, void* data) {
  const Regime* regime = *(const Regime**)data;
  const double* x = N_VGetArrayPointer(y);
  double* d = N_VGetArrayPointer(ydot);
  (void)t;
  d[0] = kC5_c1 * (x[1] + regime->c2 - x[0]);
  d[1] = kC5_c3 * (regime->c4 - x[1]);
  return 0;
}

static int c5_jacobian(realtype t, N_Vector y, N_Vector fy, SUNMatrix J, void* data, N_Vector a,
                       N_Vector b, N_Vector c) {
  (void)t, (void)y, (void)fy, (void)data, (void)a, (void)b, (void)c;
  SM_ELEMENT_D(J, 0, 0) = -kC5_c1;
  SM_ELEMENT_D(J, 0, 1) = kC5_c1;
  SM_ELEMENT_D(J, 1, 0) = 0;
  SM_ELEMENT_D(J, 1, 1) = -kC5_c3;
  return 0;
}

static int c5_root(realtype t, N_Vector y, realtype* g, void* data) {
  const Regime* regime = *(const Regime**)data;
  (void)t;
  g[0] = N_VGetArrayPointer(y)[0] - regime->threshold;
  return 0;
}

static Outcome run_c5(double rtol, double atol) {
  static const double reference[5] = kC5_events;
  SUNContext context;
  require(SUNContext_Create(NULL, &context) == 0, "SUNContext_Create");
  const Regime* regime = &kRegimes[0];
  N_Vector y = N_VNew_Serial(2, context);
  double* x = N_VGetArrayPointer(y);
  x[0] = kC5_y1, x[1] = kC5_y2;
  void* cvode = CVodeCreate(CV_BDF, context);
  CVodeInit(cvode, c5_rhs, 0, y);
  CVodeSStolerances(cvode, rtol, atol);
  CVodeSetUserData(cvode, &regime);
  SUNMatrix A = SUNDenseMatrix(2, 2, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, A, context);
  CVodeSetLinearSolver(cvode, solver, A);
  CVodeSetJacFn(cvode, c5_jacobian);
  CVodeSetMaxNumSteps(cvode, -1);
  CVodeRootInit(cvode, 1, c5_root);
  int direction = 1;
  CVodeSetRootDirection(cvode, &direction);
  CVodeSetStopTime(cvode, kC5_stop);

  Outcome outcome = {0, 0, 0};
  double t;
  for (;;) {
    const int flag = CVode(cvode, kC5_stop, y, &t, CV_NORMAL);
    require(flag >= 0, "CVode");
    long steps;
    CVodeGetNumSteps(cvode, &steps);
    if (flag != CV_ROOT_RETURN) {
      outcome.steps += steps;
      break;
    }
    outcome.steps += steps;
    require(outcome.events < 5, "the fifth event is the last: CVode");
    const double error = fabs(t - reference[outcome.events++]);
    if (!(error <= outcome.error)) outcome.error = error;
    regime = &kRegimes[outcome.events % 2];
    direction = -direction;
    CVodeReInit(cvode, t, y);
    CVodeSetRootDirection(cvode, &direction);
    CVodeSetStopTime(cvode, kC5_stop);
  }
  CVodeFree(&cvode);
  SUNLinSolFree(solver);
  SUNMatDestroy(A);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return outcome;
}

/* Heat conduction in a rod by the method of lines. */

static int heat_rhs(realtype t, N_Vector y, N_Vector ydot, void* data) {
  const double* x = N_VGetArrayPointer(y);
  double* d = N_VGetArrayPointer(ydot);
  const double k = (kHeat_n + 1.0) * (kHeat_n + 1.0);
  (void)t, (void)data;
  for (int i = 0; i < kHeat_n; ++i) {
    const double left = i > 0 ? x[i - 1] : 0, right = i + 1 < kHeat_n ? x[i + 1] : 0;
    d[i] = k * (left - 2 * x[i] + right);
  }
  return 0;
}

static int heat_jacobian(realtype t, N_Vector y, N_Vector fy, SUNMatrix J, void* data, N_Vector a,
                         N_Vector b, N_Vector c) {
  const double k = (kHeat_n + 1.0) * (kHeat_n + 1.0);
  (void)t, (void)y, (void)fy, (void)data, (void)a, (void)b, (void)c;
  for (int i = 0; i < kHeat_n; ++i) {
    SM_ELEMENT_B(J, i, i) = -2 * k;
    if (i > 0) SM_ELEMENT_B(J, i, i - 1) = k;
    if (i + 1 < kHeat_n) SM_ELEMENT_B(J, i, i + 1) = k;
  }
  return 0;
}

static Outcome run_heat(double rtol, double atol) {
  SUNContext context;
  require(SUNContext_Create(NULL, &context) == 0, "SUNContext_Create");
  N_Vector y = N_VNew_Serial(kHeat_n, context);
  double* x = N_VGetArrayPointer(y);
  const double pi = acos(-1.0), dx = 1.0 / (kHeat_n + 1);
  for (int i = 0; i < kHeat_n; ++i) x[i] = sin(pi * (i + 1) * dx);
  void* cvode = CVodeCreate(CV_BDF, context);
  CVodeInit(cvode, heat_rhs, 0, y);
  CVodeSStolerances(cvode, rtol, atol);
  SUNMatrix A = SUNBandMatrix(kHeat_n, 1, 1, context);
  SUNLinearSolver solver = SUNLinSol_Band(y, A, context);
  CVodeSetLinearSolver(cvode, solver, A);
  CVodeSetJacFn(cvode, heat_jacobian);
  CVodeSetMaxNumSteps(cvode, -1);
  CVodeSetStopTime(cvode, kHeat_stop);
  double t;
  require(CVode(cvode, kHeat_stop, y, &t, CV_NORMAL) >= 0, "CVode");

  /* The sine is an eigenvector of the differences, with this rate. */
  const double s = 2 * (kHeat_n + 1) * sin(0.5 * pi * dx), decay = exp(-s * s * kHeat_stop);
  Outcome outcome = {0, 0, 0};
  CVodeGetNumSteps(cvode, &outcome.steps);
  for (int i = 0; i < kHeat_n; ++i) {
    const double exact = decay * sin(pi * (i + 1) * dx), error = fabs(x[i] / exact - 1);
    if (!(error <= outcome.error)) outcome.error = error;
  }
  CVodeFree(&cvode);
  SUNLinSolFree(solver);
  SUNMatDestroy(A);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return outcome;
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: arges_bare_cvode c1|c5|heat RTOL RUNS\n");
    return 2;
  }
  Outcome (*run)(double, double) = strcmp(argv[1], "c1") == 0   ? run_c1
                                   : strcmp(argv[1], "c5") == 0 ? run_c5
                                                                : run_heat;
  const double rtol = atof(argv[2]), atol = kAtolOf(rtol);
  double least = HUGE_VAL;
  Outcome outcome = {0, 0, 0};
  for (int i = atoi(argv[3]); i > 0; --i) {
    const double begin = cpu_seconds();
    outcome = run(rtol, atol);
    const double time = cpu_seconds() - begin;
    if (time < least) least = time;
  }
  printf("%.9e %.6e %d %ld\n", least, outcome.error, outcome.events, outcome.steps);
  return 0;
}
