#pragma once
// Reference values of C21, part 2.2. Flight and contact have closed forms (with drag: those of rise
// and fall; in contact: a damped oscillation); only the instants between them are roots, found with
// 40 digits.

#include <array>

namespace arges::argesim::c21 {

struct Contact {
  double height;       // of the apex before it, m
  double deformation;  // the largest one, m
  double t;            // of its beginning, s
};
inline constexpr std::array<Contact, 10> kContacts = {{
    {10, 9.8739997456186e-3, 1.4326073254453229},
    {2.4947586492221668, 4.9719635589406e-3, 2.8621781647460951},
    {0.63279737814173506, 2.5118675971975e-3, 3.5837665291258315},
    {0.16059402980268421, 1.2691502746631e-3, 3.9488870530249847},
    {0.04046743554552354, 0.64034298677086e-3, 4.1337893137667302},
    {0.010029566711996334, 0.32202875236053e-3, 4.2274859252714995},
    {0.0023994406210008497, 0.1608611080967e-3, 4.275016113044182},
    {0.00053018976230848275, 0.079230614541362e-3, 4.2991835123609676},
    {9.4925321882963866e-5, 0.037840558829042e-3, 4.3115419489563278},
    {5.8851160223732344e-6, 0.017015816123178e-3, 4.3179104428789372},
}};
inline constexpr double kRelease = 1.4353321199807403;  // end of the first contact

// The table of a published solution: heights in m, deformations in mm.
inline constexpr std::array<double, 10> kPublishedHeights = {10,
                                                             2.49475864925,
                                                             0.63279737818,
                                                             0.16059402982,
                                                             0.04046743555,
                                                             0.01002956671,
                                                             0.00239944062,
                                                             0.00053018976,
                                                             9.492532e-05,
                                                             5.88512e-06};
inline constexpr std::array<double, 10> kPublishedDeformations = {
    9.87399975, 4.97196356, 2.5118676,  1.26915027, 0.64034299,
    0.32202875, 0.16086111, 0.07923061, 0.03784056, 0.01701582};

// Task 2.2.4: other stiffness or damping.
struct Study {
  double k, d;
  int contacts;
  double t_last;         // of the last contact
  double second_height;  // of the first rebound; 0: there is none
};
inline constexpr std::array<Study, 5> kStudy = {{
    {1e4, 500, 1, 1.4326073254453229, 0},
    {1e6, 500, 10, 4.3179104428789372, 2.4947586492221668},
    {1e8, 500, 112, 34.195617909602141, 8.2601544747238088},
    {1e6, 50, 83, 34.224119942102691, 8.2590589090915643},
    {1e6, 5000, 2, 1.5209207603170647, 0.0081684586812499986},
}};

// Task 2.2.5: Mars.
inline constexpr double kMarsGravity = 3.69, kMarsDrag = 0.00023;
inline constexpr std::array<Contact, 11> kMars = {{
    {10, 6.107900356132e-3, 2.3289935271559921},
    {2.5524989692979785, 3.0896682013933e-3, 4.6846361737953626},
    {0.65210889712915381, 1.5631877946587e-3, 5.8768890339700435},
    {0.16627724638607787, 0.79057028445061e-3, 6.4805275725197383},
    {0.042194302667003428, 0.39943745792067e-3, 6.7862145949332469},
    {0.0106013817435875, 0.20141736403791e-3, 6.9410635373214177},
    {0.0026098553666636779, 0.10116070397429e-3, 7.0195503500118957},
    {0.00061524269778876581, 0.050394941544855e-3, 7.0593826371219882},
    {0.00013121742509089129, 0.024677530306889e-3, 7.0796567002682862},
    {2.0987509979377597e-5, 0.011632801176318e-3, 7.0900504885556042},
    {-6.4369071847203867e-8, 0.0053062943106669e-3, 7.0952448684334928},
}};
// Printed in a published solution.
inline constexpr double kMarsFirstContact = 2.329, kMarsFourthMaximum = 6.18;

}  // namespace arges::argesim::c21
