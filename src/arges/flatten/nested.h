#pragma once
// How deep something is nested.

namespace arges::lang {

// One level deeper for as long as it lives.
class Nested {
 public:
  explicit Nested(int& level) : level_(level) { ++level_; }
  ~Nested() { --level_; }
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;

 private:
  int& level_;
};

}  // namespace arges::lang
