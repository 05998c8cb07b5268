#pragma once
// Compiled code on disk.

#include <cstdint>
#include <optional>
#include <string>

namespace arges::jit {

// Objects by key, one file each, in one folder. Several processes may use it at once: a file is
// written beside and renamed, and checked when it is read. Whatever fails (no folder, full disk,
// damaged file) looks like an object that is not there.
//
// prune() removes the files that were used longest ago until the rest is below the limit.
class ObjectCache {
 public:
  // "": remembers nothing.
  explicit ObjectCache(std::string folder, std::uint64_t limit = std::uint64_t{256} << 20);
  std::optional<std::string> find(const std::string& key) const;
  void put(const std::string& key, const std::string& object) const;
  void prune() const;

 private:
  std::string path(const std::string& key) const { return folder_ + "/" + key + ".o"; }

  std::string folder_;
  std::uint64_t limit_;
};

}  // namespace arges::jit
