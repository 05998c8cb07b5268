#pragma once
// The order of calls that ResultSink asks for, checked in one place.

#include <cstddef>

namespace arges {

// A sink calls the function of the same name first thing. Throws ApiError for calls out of order
// and for rows of a wrong width.
class CallOrder {
 public:
  void begin(std::size_t columns);
  void row(std::size_t values) {
    if (stage_ != Stage::kBegun || values != columns_) refuse_row(values);
  }
  void event() const;
  void finish();
  bool finished() const { return stage_ == Stage::kFinished; }

 private:
  enum class Stage { kNew, kBegun, kFinished };
  [[noreturn]] void refuse_row(std::size_t values) const;

  Stage stage_ = Stage::kNew;
  std::size_t columns_ = 0;
};

}  // namespace arges
