// What the compiler makes of delay() and spatialDistribution().

#include "arges/external/registry.h"

namespace arges::external {

namespace {

const Entry kTable[] = {
    // number of the history, time, the last break that is passed
    {"$delay", 3,
     [](const Call& c) {
       c.result(
           c.environment().history(static_cast<std::size_t>(c.real(0))).at(c.real(1), c.real(2)));
     },
     false},
    // number of the profile, position, place of the next break, forward
    {"$transported", 4,
     [](const Call& c) {
       const MovingProfile& profile = c.environment().profile(static_cast<std::size_t>(c.real(0)));
       c.result(profile.at(c.real(1), c.real(2), c.real(3) != 0));
     },
     false},
};

}  // namespace

std::span<const Entry> past_functions() { return kTable; }

}  // namespace arges::external
