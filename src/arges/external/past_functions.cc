// What the compiler makes of delay() and spatialDistribution().

#include "arges/external/registry.h"

namespace arges::external {

namespace {

std::size_t number(const Call& c, std::size_t i) { return static_cast<std::size_t>(c.real(i)); }

const Entry kTable[] = {
    // number of the past, of the history in it, time, the last break that is passed
    {"$delay", 4,
     [](const Call& c) {
       c.result(c.environment().past(number(c, 0)).history(number(c, 1)).at(c.real(2), c.real(3)));
     },
     false},
    // number of the past, of the profile in it, position, place of the next break, forward
    {"$transported", 5,
     [](const Call& c) {
       const MovingProfile& profile = c.environment().past(number(c, 0)).profile(number(c, 1));
       c.result(profile.at(c.real(2), c.real(3), c.real(4) != 0));
     },
     false},
};

}  // namespace

std::span<const Entry> past_functions() { return kTable; }

}  // namespace arges::external
