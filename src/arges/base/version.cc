#include "arges/base/version.h"

namespace arges {

const std::string_view kVersion = ARGES_VERSION;

}  // namespace arges
