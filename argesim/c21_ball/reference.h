#pragma once
// Reference values of C21, part 2.1. Without drag: closed form; with drag: closed forms of rise and
// fall, 17 digits.

#include <array>

namespace arges::argesim::c21 {

struct Bounce {
  int number;
  double t;
};
inline constexpr std::array<Bounce, 7> kDrag = {{{1, 1.4326073254453229},
                                                 {2, 3.9573774356797875},
                                                 {3, 6.198154509372956},
                                                 {4, 8.192729373542921},
                                                 {5, 9.97219250375503},
                                                 {10, 16.431194993640382},
                                                 {100, 25.588762437580904}}};
inline constexpr double kDragLimit = 25.589457570131316;
inline constexpr std::array<Bounce, 8> kFree = {{{1, 1.4278431229270645},
                                                 {2, 3.9979607441957805},
                                                 {3, 6.311066603337625},
                                                 {5, 10.266477622470179},
                                                 {10, 17.171857079419798},
                                                 {20, 23.657171532301756},
                                                 {50, 26.981843685876544},
                                                 {100, 27.128260825399487}}};
inline constexpr double kFreeLimit = 27.129019335614224;
// Heights after each bounce, with drag.
inline constexpr std::array<double, 5> kApexes = {
    7.81665477455664, 6.15708611165356, 4.8784180597911, 3.88290327240998, 3.10153413719931};
// Task 2.1.4: start velocities for which the last bounce comes when it would without drag.
inline constexpr double kCompensation = 4.405230456446465;
inline constexpr double kCompensationDown = -6.314378541900666;
// Without drag, the earliest last bounce over all start velocities.
inline constexpr double kFastestV0 = -0.73824115301167, kFastestLimit = 27.091418459143853;

}  // namespace arges::argesim::c21
