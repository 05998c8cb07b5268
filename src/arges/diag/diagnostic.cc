#include "arges/diag/diagnostic.h"

namespace arges::diag {

namespace {

// A name in the text can have millions of letters.
void shorten(std::string& text) {
  constexpr std::size_t kLongest = 2000;
  constexpr std::size_t kKept = 200;  // of each end
  if (text.size() <= kLongest) return;
  // Characters stay whole.
  const auto continues = [&](std::size_t i) {
    return (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
  };
  std::size_t from = kKept;
  std::size_t to = text.size() - kKept;
  while (from > 0 && continues(from)) --from;
  while (to < text.size() && continues(to)) ++to;
  text.replace(from, to - from, "…");
}

}  // namespace

void Diagnostics::report(Diagnostic d) {
  if (d.severity() == Severity::kError) {
    ++errors_;
  } else {
    ++warnings_;
  }
  if (list_.size() >= kept_) return;
  shorten(d.message);
  for (std::string& text : d.notes) shorten(text);
  for (std::string& text : d.help) shorten(text);
  list_.push_back(std::move(d));
}

}  // namespace arges::diag
