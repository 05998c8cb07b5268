#include "arges/external/call.h"

namespace arges::external {

int Call::count(std::size_t i) const {
  int n = 1;
  for (const std::int32_t d : arguments_[i].dims) n *= d;
  return n;
}

std::string Call::key() const {
  std::string key(name_);
  for (std::size_t i = 0; i < size(); ++i) {
    const auto n = static_cast<std::size_t>(count(i));
    key += '|';
    for (const std::int32_t d : arguments_[i].dims) key += std::to_string(d) + 'x';
    key.append(reinterpret_cast<const char*>(arguments_[i].values), n * sizeof(double));
  }
  return key;
}

}  // namespace arges::external
