#pragma once
// Reference values of C3. Computed with 50-digit matrix exponentials on the constant pieces of
// R(t), Taylor series through the ramps; 18 digits. The tool run is a published run of a class-E
// amplifier model of a commercial tool (6 digits) which these circuit values reproduce in all 1001
// points.

#include <array>

namespace arges::argesim::c3 {

// Eigenvalues: real and imaginary part (the conjugate ones are left out).
inline constexpr std::array<std::array<double, 2>, 3> kEigenvaluesOn = {
    {{-1117317594.4105895, 0}, {-113038.81489929347, 658352.22046851}, {-625.7827674749088, 0}}};
inline constexpr std::array<std::array<double, 2>, 2> kEigenvaluesOff = {
    {{-58228.41860988195, 532750.1924059741}, {-54708.20246505544, 1040797.1978548327}}};
// As recalled from published solutions.
inline constexpr std::array<std::array<double, 2>, 3> kRecalledEigenvaluesOn = {
    {{-1.117e9, 0}, {-1.13e5, 6.58e5}, {-6.26e2, 0}}};

struct State {
  double t;  // s
  std::array<double, 4> x;
};
inline constexpr std::array<State, 13> kTaskB = {
    {{1e-06, {0.0556170368013045, 1.6172107178834985, 0.0022156457533713844, 0.05936281556299601}},
     {2e-06, {0.07658559942592852, 5.122089183621675, 0.013539145936280198, 0.7914328754456329}},
     {4e-06, {0.017793222416248866, 7.9454195497432165, 0.03615465526447006, 6.577192422223006}},
     {6e-06,
      {0.052801884251389895, 0.0036590308870665684, -0.020469010861508926, 9.966511806849319}},
     {8e-06,
      {0.17775893306974988, 0.011472271793219541, -0.051735128942851066, 0.8379001010759104}},
     {9e-06,
      {0.24017854061388844, 0.013739943376041215, -0.03465457678664587, -3.7725185052078363}},
     {1.4999999999999999e-05,
      {-0.05203926438009748, -1.2487857611422044, -0.0713900748430692, 23.92713151320449}},
     {2.4999999999999998e-05,
      {-0.06606601737568009, 5.4670723132657155, -0.05599727237754904, 25.776219346375335}},
     {9.2e-05, {0.14122856609386386, 15.300610827113697, 0.13639823213519683, 5.8004276801172665}},
     {9.4e-05, {-0.036710985236769036, 7.488214982570168, 0.03522820907081572, 27.359359314564667}},
     {9.6e-05,
      {0.01130726562228347, 0.006920038289845995, -0.1271865863975564, 16.289310230031422}},
     {9.8e-05,
      {0.13621243698290877, 0.011358498629332641, -0.09095637973671296, -10.012758900649413}},
     {9.9e-05,
      {0.19865073614286158, 0.01092659690627177, -0.01987196768685899, -15.826330835849385}}}};
// At 100 us.
inline constexpr std::array<double, 4> kFinal = {0.26109390769682106, 0.010829917669189813,
                                                 0.04448618086544583, -14.370629609324528};
struct Ramp {
  double TRF;
  std::array<double, 4> x;  // at 9 us
};
inline constexpr std::array<Ramp, 4> kTaskC = {
    {{1e-15, {0.19865791581835532, 0.01092662417104996, -0.01986533065456555, -15.827365295786244}},
     {1e-11,
      {0.19865722475860814, 0.010926596886060133, -0.019865476030259236, -15.82735371800479}},
     {1e-09,
      {0.19858880179535052, 0.010923895311376124, -0.019879869061630747, -15.82620663810225}},
     {1e-07,
      {0.1917265178907246, 0.010652460614771096, -0.021313646363063318, -15.703719802272005}}}};

struct ToolPoint {
  double t, VL, IR;
};
// Values of the tool run; it counts IR with the opposite sign.
inline constexpr std::array<ToolPoint, 6> kTool = {{{1e-06, 0.1161, 3.23442e-07},
                                                    {3.9e-06, 1.90117, 1.60761e-06},
                                                    {5.1e-06, 1.01481, -0.0229694},
                                                    {7.5e-06, -2.77638, 0.199462},
                                                    {9.96e-05, 1.11994, 0.214744},
                                                    {0.0001, 2.33107, 0.216598}}};

// The periodic steady state, at the beginning of a period and at its half, when the device closes.
// Matrix exponentials with 40 digits, the device off for T/2 + TRF and on for the rest: what the
// ramps do beyond that is 1e-8 TRF.
inline constexpr std::array<double, 4> kPeriodic = {0.261095033215908125, 0.0108295604084383587,
                                                    0.0444944516906711567, -14.3710872410158985};
inline constexpr std::array<double, 4> kPeriodicHalf = {
    -0.0511603821044047091, 5.53706502621632203, -0.0545771452468762009, 26.2118372085583609};
// C2 and C4 (F) for which x2 = 0 and x2' = 0 there; likewise, with 30 digits.
inline constexpr double kSoftC2 = 20.6904409577372642e-9, kSoftC4 = 12.2979151082442911e-9;

}  // namespace arges::argesim::c3
