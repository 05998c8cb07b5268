#include "arges/results/chosen_columns.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"

namespace arges {

bool fits_pattern(std::string_view name, std::string_view pattern) {
  // On a mismatch the last * takes one letter more; those before it need not be looked at again.
  constexpr std::size_t kNone = std::string_view::npos;
  std::size_t n = 0, p = 0, star = kNone, after_star = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after_star = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != kNone) {
      p = star + 1;
      n = ++after_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == kNone;
}

bool is_asked_for(const Column& column, const std::vector<std::string>& patterns) {
  if (patterns.empty()) return !column.hidden;
  return std::ranges::any_of(patterns,
                             [&](const std::string& p) { return fits_pattern(column.name, p); });
}

ChosenColumns::ChosenColumns(std::vector<std::string> patterns, ResultSink& to)
    : patterns_(std::move(patterns)), to_(to) {}

void ChosenColumns::begin(const ResultLayout& layout) {
  chosen_.clear();
  const auto is_hidden = [](const auto& column) { return column.hidden; };
  all_ = patterns_.empty() && std::ranges::none_of(layout.columns, is_hidden) &&
         std::ranges::none_of(layout.parameters, [](const auto& p) { return p.first.hidden; });
  if (all_) return to_.begin(layout);
  std::vector<bool> is_used(patterns_.size(), false);
  const auto is_chosen = [&](const Column& column) {
    bool fits = patterns_.empty() && !column.hidden;
    for (std::size_t i = 0; i < patterns_.size(); ++i) {
      if (!fits_pattern(column.name, patterns_[i])) continue;
      is_used[i] = fits = true;
    }
    return fits;
  };
  ResultLayout part;
  for (std::size_t i = 0; i < layout.columns.size(); ++i) {
    if (!is_chosen(layout.columns[i])) continue;
    chosen_.push_back(i);
    part.columns.push_back(layout.columns[i]);
  }
  for (const auto& parameter : layout.parameters) {
    if (is_chosen(parameter.first)) part.parameters.push_back(parameter);
  }
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    if (is_used[i]) continue;
    std::vector<std::string> known;
    for (const Column& column : layout.columns) known.push_back(column.name);
    for (const auto& parameter : layout.parameters) known.push_back(parameter.first.name);
    if (known.empty() && patterns_[i].find_first_of("*?") != std::string::npos) continue;
    throw UserError(fmt::format("no variable has the name '{}'{}", patterns_[i],
                                did_you_mean(patterns_[i], known)),
                    {"record"});
  }
  values_.resize(chosen_.size());
  to_.begin(part);
}

void ChosenColumns::row(double time, std::span<const double> values) {
  if (all_) return to_.row(time, values);
  for (std::size_t i = 0; i < chosen_.size(); ++i) values_[i] = values[chosen_[i]];
  to_.row(time, values_);
}

}  // namespace arges
