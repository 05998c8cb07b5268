#include "arges/diag/diagnostic.h"

namespace arges::diag {

void Diagnostics::report(Diagnostic d) {
  if (d.severity() == Severity::kError) {
    ++errors_;
  } else {
    ++warnings_;
  }
  if (list_.size() < kept_) list_.push_back(std::move(d));
}

}  // namespace arges::diag
