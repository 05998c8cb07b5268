#pragma once
// Reference values of C5. Computed from the closed form of the two regimes with 60 digits; 24
// digits. Published: a solution with an implicit method at the tolerances given.

#include <array>

namespace arges::argesim::c5 {

inline constexpr std::array<double, 5> kEvents = {1.1083061677711312, 2.129685355154714,
                                                  3.0541529069957196, 4.0755320943793025,
                                                  4.999999646220307};
inline constexpr double kY1 = 5.369312123556102, kY2 = 5.399996764459944;  // at t = 5
// Published, tolerance 1e-14.
inline constexpr std::array<double, 5> kPublishedEvents = {
    1.1083061677712, 2.1296853551551, 3.0541529069963, 4.0755320943802, 4.9999996462213};
inline constexpr double kPublishedY1 = 5.3693128433754;
// Published, tolerance 1e-10.
inline constexpr std::array<double, 5> kPublishedEventsLoose = {
    1.1083061678763, 2.1296853555014, 3.0541529075528, 4.0755320954016, 4.9999996474117};
inline constexpr double kPublishedY1Loose = 5.3701798572355;
// dy1(5)/dt5: the last event lies inside the fast transient that y1(5) is read from.
inline constexpr double kConditionOfY1 = 7.27e5;

// Task d.
inline constexpr std::array<double, 62> kEventsD = {
    1.1083061677711312, 1.1217299678914274, 1.235463965748085,  1.2488877658683812,
    1.362621763725039,  1.3760455638453353, 1.489779561701993,  1.503203361822289,
    1.616937359678947,  1.6303611597992431, 1.744095157655901,  1.757518957776197,
    1.8712529556328548, 1.884676755753151,  1.9984107536098088, 2.011834553730105,
    2.125568551586763,  2.138992351707059,  2.2527263495637166, 2.266150149684013,
    2.3798841475406705, 2.3933079476609667, 2.5070419455176243, 2.5204657456379205,
    2.6341997434945785, 2.6476235436148747, 2.7613575414715323, 2.7747813415918285,
    2.888515339448486,  2.9019391395687824, 3.0156731374254404, 3.029096937545736,
    3.142830935402394,  3.1562547355226904, 3.269988733379348,  3.2834125334996442,
    3.397146531356302,  3.410570331476598,  3.524304329333256,  3.5377281294535523,
    3.65146212731021,   3.664885927430506,  3.7786199252871637, 3.79204372540746,
    3.905777723264118,  3.9192015233844137, 4.032935521241072,  4.0463593213613676,
    4.160093319218026,  4.173517119338322,  4.287251117194979,  4.300674917315276,
    4.414408915171934,  4.427832715292229,  4.541566713148887,  4.554990513269184,
    4.668724511125841,  4.682148311246138,  4.795882309102796,  4.809306109223091,
    4.923040107079749,  4.936463907200046};
inline constexpr double kY1D = 5.780402520561826, kY2D = 5.380402678480132;
// Published, tolerance 1e-11: number of the event and its time.
struct Numbered {
  int number;
  double t;
};
inline constexpr std::array<Numbered, 5> kPublishedEventsD = {{{1, 1.1083061677768},
                                                               {2, 1.1217299678991},
                                                               {60, 4.8093061100968},
                                                               {61, 4.9230401079777},
                                                               {62, 4.9364639081008}}};
inline constexpr double kPublishedY1D = 5.7804025201735;

}  // namespace arges::argesim::c5
