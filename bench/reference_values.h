/* Constants and reference solutions of the problems in bench/, for C and C++. */
#ifndef ARGES_BENCH_REFERENCE_VALUES_H
#define ARGES_BENCH_REFERENCE_VALUES_H

/* The absolute tolerance that goes with a relative one. */
#define kAtolOf(rtol) ((rtol)*1e-4 > 1e-14 ? (rtol)*1e-4 : 1e-14)

/* C1. f, m, r at the end: Taylor series of order 44 in 113-bit arithmetic. */
#define kC1_kr 1.0
#define kC1_kf 0.1
#define kC1_lf 1000.0
#define kC1_dr 0.1
#define kC1_dm 1.0
#define kC1_f0 9.975
#define kC1_m0 1.674
#define kC1_r0 84.99
#define kC1_stop 10.0
#define kC1_end \
  { 0.01010072205267432, 3.4796713163550166, 31.755612494065314 }

/* C5. Event times from the closed form of the two regimes, with 60 digits. */
#define kC5_c1 2.7e6
#define kC5_c3 3.5651205
#define kC5_c2_1 0.4
#define kC5_c4_1 5.5
#define kC5_c2_2 (-0.3)
#define kC5_c4_2 2.73
#define kC5_upper 5.8
#define kC5_lower 2.5
#define kC5_y1 4.2
#define kC5_y2 0.3
#define kC5_stop 5.0
#define kC5_events                                                                 \
  {                                                                                \
    1.1083061677711312, 2.129685355154714, 3.0541529069957196, 4.0755320943793025, \
        4.999999646220307                                                          \
  }

/* Heat conduction: x' = (n + 1)^2 (second differences of x), zero at both ends, sine at the start.
 */
#define kHeat_n 1000
#define kHeat_stop 0.1

#endif
