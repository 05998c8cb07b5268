#include "arges/experiment/ledger.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "arges/experiment/whole_numbers.h"

namespace arges {

namespace {

constexpr std::size_t kMostGuesses = 256;
// For each number that can be asked for at a point.
constexpr std::size_t kMostRepeats = 100;

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Ledger::Ledger(const Objective& objective, const OptimiseRequest& request)
    : objective_(objective), request_(request), best_value_(std::nan("")), units_(request) {}

std::vector<double> Ledger::point(std::span<const double> unit) const {
  std::vector<double> x;
  for (std::size_t i = 0; i < unit.size(); ++i)
    x.push_back(request_.variables[i].from_unit(unit[i]));
  return x;
}

const Appraisal& Ledger::remember(Entry entry) {
  recent_.push_front(std::move(entry));
  if (recent_.size() > 4 * request_.variables.size() + 2) recent_.pop_back();
  return recent_.front().appraisal;
}

const Appraisal& Ledger::at(std::span<const double> unit) {
  if (request_.limits.cancelled()) throw SearchEnded{SearchStatus::kCancelled};
  for (const Entry& each : recent_) {
    if (!std::ranges::equal(unit, each.unit)) continue;
    const std::size_t numbers =
        (1 + request_.inequalities + request_.equalities) * (1 + 4 * request_.variables.size());
    if (++repeats_ < kMostRepeats * numbers) return each.appraisal;
    if (guessing_) throw EnoughGuessed{};
    throw SearchEnded{SearchStatus::kFound};
  }
  repeats_ = 0;
  if (replayed_ < record_.size()) {
    if (std::ranges::equal(unit, record_[replayed_].unit)) return remember(record_[replayed_++]);
    // Not the same again: from here on as if there were one thread.
    record_.resize(replayed_);
    guesses_ = false;
  }
  if (guessing_) return guess(unit);
  if (evaluations_ >= allowed_) throw SearchEnded{SearchStatus::kLimit};
  if (guesses_ && !ahead_.contains(point(unit))) {
    guessing_ = true;
    return guess(unit);
  }
  return evaluate(unit);
}

const Appraisal& Ledger::evaluate(std::span<const double> unit) {
  return enter({{unit.begin(), unit.end()}, objective_(point(unit))});
}

const Appraisal& Ledger::enter(Entry entry) {
  Appraisal& appraisal = entry.appraisal;
  request_.limits.report(++evaluations_);
  if (guesses_) ++hits_;
  const bool has_structure = count_whole_numbers(request_) > 0;
  Standing* standing =
      has_structure ? &standings_[structure_at(request_, point(entry.unit))] : nullptr;
  units_.divide(appraisal);
  if (!is_finite(appraisal)) {
    // Methods cannot compute with what is not a number.
    appraisal = worse_than_all();
  } else {
    worst_ = std::max(worst_, appraisal.value);
    const Violation violation = units_.violation_of(appraisal);
    if (is_better(appraisal.value, violation, {best_unit_, best_value_, best_violation_})) {
      best_unit_ = entry.unit;
      best_value_ = appraisal.value;
      best_violation_ = violation;
    }
    if (standing != nullptr && is_better(appraisal.value, violation, *standing))
      *standing = {entry.unit, appraisal.value, violation};
  }
  if (guesses_) {
    record_.push_back(entry);
    replayed_ = record_.size();
  }
  return remember(std::move(entry));
}

void Ledger::measure_units(const std::vector<double>& unit) {
  if (measured_) return;
  std::vector<std::vector<double>> places{unit};
  const std::int64_t most = 1 + (allowed_ - evaluations_) / 4;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    const SearchVariable& each = request_.variables[i];
    double step = kPartOfRange;
    if (each.scale == SearchVariable::Scale::kInteger)
      step = std::max(step, 1 / (each.high - each.low + 1));
    if (static_cast<std::int64_t>(places.size()) >= most) break;
    places.push_back(unit);
    places.back()[i] = unit[i] + step <= 1 ? unit[i] + step : std::max(unit[i] - step, 0.0);
  }
  announce(places);
  std::vector<Appraisal> found;
  std::vector<Entry> entries;
  for (const std::vector<double>& place : places) {
    if (request_.limits.cancelled()) throw SearchEnded{SearchStatus::kCancelled};
    const auto known = std::ranges::find(recent_, place, &Entry::unit);
    if (known != recent_.end()) {
      --evaluations_;  // it is entered once more
      entries.push_back(*known);
    } else {
      entries.push_back({place, objective_(point(place))});
    }
    found.push_back(entries.back().appraisal);
  }
  measured_ = units_.measure(found);
  if (measured_) {  // all values are entered once more
    best_unit_.clear();
    worst_ = 0;
    for (auto& [name, standing] : standings_) standing.unit.clear();
  }
  recent_.clear();
  for (auto each = entries.rbegin(); each != entries.rend(); ++each) enter(std::move(*each));
}

bool Ledger::settle_on(std::span<const double> unit, double gain) {
  const Appraisal appraisal = at(unit);
  const Violation violation = units_.violation_of(appraisal);
  if (!satisfies(violation) || appraisal.value > best_value_ + gain) return false;
  best_unit_.assign(unit.begin(), unit.end());
  best_value_ = appraisal.value;
  best_violation_ = violation;
  return true;
}

bool Ledger::is_better(double value, const Violation& violation, const Standing& than) const {
  if (than.unit.empty()) return true;
  const bool good = satisfies(violation), was_good = satisfies(than.violation);
  return good ? !was_good || value < than.value
              : !was_good && violation.relative < than.violation.relative;
}

std::vector<std::vector<double>> Ledger::best_of_structures() const {
  std::vector<const Standing*> all;
  for (const auto& [name, standing] : standings_) {
    if (!standing.unit.empty()) all.push_back(&standing);
  }
  std::ranges::stable_sort(all, [&](const Standing* a, const Standing* b) {
    return is_better(a->value, a->violation, *b);
  });
  std::vector<std::vector<double>> units;
  for (const Standing* each : all) units.push_back(each->unit);
  return units;
}

Appraisal Ledger::worse_than_all() const {
  Appraisal appraisal;
  appraisal.value = worst_ + 1 + std::abs(worst_);
  appraisal.at_most_zero.assign(request_.inequalities, 1);
  appraisal.zero.assign(request_.equalities, 1);
  appraisal.has_value = false;
  return appraisal;
}

const Appraisal& Ledger::guess(std::span<const double> unit) {
  guessed_.push_back(point(unit));
  const std::int64_t left = allowed_ - evaluations_;
  if (guessed_.size() >= at_once_ || static_cast<std::int64_t>(guessed_.size()) >= left)
    throw EnoughGuessed{};
  return remember({{unit.begin(), unit.end()}, worse_than_all()});
}

// More at once when guesses were right, fewer when they were not.
void Ledger::run_guesses() {
  const auto width = static_cast<std::size_t>(request_.limits.width);
  if (!ahead_.empty()) {
    if (4 * hits_ >= 3 * ahead_.size()) {
      at_once_ = std::min(2 * at_once_, std::max(kMostGuesses, width));
    } else if (2 * hits_ < ahead_.size()) {
      at_once_ = std::max(at_once_ / 2, width);
    }
  }
  hits_ = 0;
  request_.limits.run_ahead(guessed_);
  ahead_.clear();
  ahead_.insert(guessed_.begin(), guessed_.end());
  guessed_.clear();
}

void Ledger::replay(const std::function<void()>& method) {
  // However the method ends, the next one begins without all this.
  const auto forget = [this](void*) {
    guesses_ = guessing_ = false;
    record_.clear();
    replayed_ = 0;
  };
  const std::unique_ptr<void, decltype(forget)> at_the_end(this, forget);
  guesses_ = request_.limits.ahead();
  at_once_ = 2 * static_cast<std::size_t>(request_.limits.width);
  for (;;) {
    guessing_ = false;
    replayed_ = repeats_ = 0;
    recent_.clear();
    const double begun = seconds();
    try {
      method();
      if (!guessing_) break;
    } catch (const EnoughGuessed&) {
    }
    const double of_method = seconds() - begun, before = seconds();
    run_guesses();
    // What is cheaper to evaluate than to foresee is evaluated when it is asked for.
    if (of_method > seconds() - before) guesses_ = false;
  }
}

void Ledger::announce(const std::vector<std::vector<double>>& units) const {
  if (!request_.limits.ahead() || request_.limits.cancelled()) return;
  const std::int64_t left = allowed_ - evaluations_;
  std::vector<std::vector<double>> points;
  for (const std::vector<double>& unit : units) {
    const bool known = std::ranges::find(recent_, unit, &Entry::unit) != recent_.end();
    if (!known && static_cast<std::int64_t>(points.size()) < left) points.push_back(point(unit));
  }
  if (!points.empty()) request_.limits.run_ahead(points);
}

SearchResult Ledger::result(SearchStatus status) const {
  SearchResult result;
  result.status = status;
  result.evaluations = evaluations_;
  result.value = best_value_ * units_.of_value();
  result.residual = best_violation_.absolute;
  if (best_unit_.empty()) {
    result.status = status == SearchStatus::kCancelled ? status : SearchStatus::kNotFound;
    result.message = "the objective has no value at any point that was tried";
    return result;
  }
  result.x = point(best_unit_);
  if (!is_feasible() && status != SearchStatus::kCancelled) {
    if (status == SearchStatus::kFound) result.status = SearchStatus::kNotFound;
    result.message = fmt::format(
        "no point was found that satisfies the constraints: the smallest violation is {:.6g}",
        best_violation_.absolute);
  }
  return result;
}

}  // namespace arges
