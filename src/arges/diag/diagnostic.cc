#include "arges/diag/diagnostic.h"

#include <algorithm>
#include <tuple>

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

bool is_same(const Diagnostic& a, const Diagnostic& b) {
  const auto place = [](const Diagnostic& d) {
    return std::tuple(d.primary.span.file, d.primary.span.range.begin, d.primary.span.range.end);
  };
  return a.code == b.code && place(a) == place(b) && a.message == b.message && a.notes == b.notes;
}

}  // namespace

void Diagnostics::report(Diagnostic d) {
  const auto is_told = [&](const Diagnostic& known) { return is_same(known, d); };
  if (list_.size() < kept_ && std::any_of(list_.begin(), list_.end(), is_told)) return;
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
