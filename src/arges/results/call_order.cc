#include "arges/results/call_order.h"

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges {

void CallOrder::begin(std::size_t columns) {
  if (stage_ != Stage::kNew) throw ApiError("ResultSink::begin: called twice");
  stage_ = Stage::kBegun;
  columns_ = columns;
}

void CallOrder::event() const {
  if (stage_ != Stage::kBegun) {
    throw ApiError("ResultSink::event: call it between begin and finish");
  }
}

void CallOrder::finish() {
  if (stage_ != Stage::kBegun) {
    throw ApiError("ResultSink::finish: call it once, after begin");
  }
  stage_ = Stage::kFinished;
}

void CallOrder::refuse_row(std::size_t values) const {
  if (stage_ != Stage::kBegun) throw ApiError("ResultSink::row: call it between begin and finish");
  throw ApiError(fmt::format("ResultSink::row: {} values for {} columns", values, columns_));
}

}  // namespace arges
