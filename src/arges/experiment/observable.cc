#include "arges/experiment/observable.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/base/parse_number.h"
#include "arges/experiment/specification.h"

namespace arges {

namespace {

using Kind = Observable::Kind;

constexpr std::pair<const char*, Kind> kFunctions[] = {
    {"final", Kind::kFinal}, {"max", Kind::kMax}, {"min", Kind::kMin},
    {"mean", Kind::kMean},   {"rms", Kind::kRms}, {"integral", Kind::kIntegral}};
constexpr std::pair<const char*, Kind> kWords[] = {
    {"time", Kind::kTime}, {"events", Kind::kEvents}, {"steps", Kind::kSteps}};

// The extreme of the parabola through three points, when it lies between the outer ones.
std::optional<double> vertex(double t0, double v0, double t1, double v1, double t2, double v2) {
  const double left = (v1 - v0) / (t1 - t0), right = (v2 - v1) / (t2 - t1);
  const double curvature = (right - left) / (t2 - t0);
  if (!(left * right < 0) || curvature == 0) return std::nullopt;
  const double at = 0.5 * (t0 + t1) - 0.5 * left / curvature;
  return v0 + left * (at - t0) + curvature * (at - t0) * (at - t1);
}

}  // namespace

Observable parse_observable(const std::string& text) {
  Observable observable;
  observable.text = text;
  for (const auto& [word, kind] : kWords) {
    if (text == word) {
      observable.kind = kind;
      return observable;
    }
  }
  if (text.empty()) throw UserError("an observable is empty: give a variable, as in max(x)");
  const std::size_t open = text.find('(');
  if (open != std::string::npos && text.ends_with(")") && !text.starts_with("der(")) {
    const std::string name = text.substr(0, open);
    const auto* function = std::ranges::find(kFunctions, name, [](auto& f) { return f.first; });
    if (function == std::end(kFunctions)) {
      std::vector<std::string> known;
      for (const auto& [each, kind] : kFunctions) known.emplace_back(each);
      throw UserError(complaint(
          fmt::format("there is no function '{}' of a run{}", name, did_you_mean(name, known)),
          text, 0));
    }
    observable.kind = function->second;
    const std::string inside = text.substr(open + 1, text.size() - open - 2);
    if (inside.empty()) throw UserError(complaint("a variable is missing", text, open + 1));
    // Blanks stand for what is around it: places are those of the whole text.
    observable.formula = Formula::parse(std::string(open + 1, ' ') + inside, Formula::Leaves::kRow);
    return observable;
  }
  const std::size_t at = text.rfind('@');
  const std::string variable = text.substr(0, at);
  if (variable.empty()) throw UserError(complaint("a variable is missing", text, 0));
  observable.formula = Formula::leaf(variable);
  if (at != std::string::npos) {
    const auto time = parse_number(text.substr(at + 1));
    if (!time || !std::isfinite(*time))
      throw UserError(complaint("after @ there must be a time", text, at + 1));
    observable.kind = Kind::kAt;
    observable.time = *time;
  }
  return observable;
}

Observer::Observer(std::vector<Observable> observables, const ResultLayout& layout,
                   const RunOptions& options)
    : observables_(std::move(observables)), accumulators_(observables_.size()) {
  for (std::size_t i = 0; i < observables_.size(); ++i) {
    const Observable& each = observables_[i];
    needs_rows_ = needs_rows_ || each.needs_rows();
    for (const std::string& leaf : each.formula.leaves()) {
      const auto column = std::ranges::find(layout.columns, leaf, &Column::name);
      if (column == layout.columns.end() && leaf != "time") {
        std::vector<std::string> known;
        for (const Column& c : layout.columns) known.push_back(c.name);
        throw UserError(complaint(
            fmt::format("the model has no variable '{}'{}", leaf, did_you_mean(leaf, known)),
            each.text, each.text.find(leaf)));
      }
      accumulators_[i].columns.push_back(column == layout.columns.end()
                                             ? kTimeColumn
                                             : static_cast<int>(column - layout.columns.begin()));
    }
    if (each.kind == Kind::kAt) {
      at_times_.push_back({each.time, i});
    } else if (each.needs_rows()) {
      over_time_.push_back(i);
    }
    if (each.kind == Kind::kAt &&
        !(options.start_time <= each.time && each.time <= options.stop_time)) {
      throw UserError(complaint(
          fmt::format("the run goes from {} to {}", options.start_time, options.stop_time),
          each.text, each.text.rfind('@') + 1));
    }
  }
  std::ranges::sort(at_times_);
}

RunOptions Observer::adapt(RunOptions options) const {
  bool whole = false;
  for (const Observable& each : observables_) {
    if (each.kind == Kind::kAt) options.rows_at.push_back(each.time);
    whole = whole || (each.needs_rows() && each.kind != Kind::kAt);
  }
  std::ranges::sort(options.rows_at);
  if (!whole) options.interval = std::numeric_limits<double>::max();
  return options;
}

void Observer::start_run() {
  next_at_ = 0;
  for (Accumulator& each : accumulators_)
    each = {.columns = std::move(each.columns), .at = std::numeric_limits<double>::quiet_NaN()};
}

double Observer::value(std::size_t observable, double time, std::span<const double> row) {
  leaves_.clear();
  for (const int column : accumulators_[observable].columns)
    leaves_.push_back(column == kTimeColumn ? time : row[static_cast<std::size_t>(column)]);
  return observables_[observable].formula.value(leaves_);
}

// A study with bands has hundreds of times: a row looks at those that are its own.
void Observer::row(double time, std::span<const double> values) {
  for (const std::size_t i : over_time_)
    add(observables_[i], accumulators_[i], time, value(i, time, values));
  while (next_at_ < at_times_.size() && at_times_[next_at_].first < time) ++next_at_;
  for (std::size_t k = next_at_; k < at_times_.size() && at_times_[k].first == time; ++k) {
    const std::size_t i = at_times_[k].second;
    accumulators_[i].at = value(i, time, values);
  }
}

void Observer::add(const Observable& observable, Accumulator& sum, double time,
                   double value) const {
  const bool first = sum.rows == 0;
  switch (observable.kind) {
    case Kind::kMax:
    case Kind::kMin: {
      const double sign = observable.kind == Kind::kMax ? 1 : -1;
      if (first || sign * value > sign * sum.extreme) sum.extreme = value;
      sum.smooth = !first && time == sum.t[0] ? 1 : std::min(sum.smooth + 1, 3);
      if (sum.smooth == 3) {
        const auto top = vertex(sum.t[1], sum.v[1], sum.t[0], sum.v[0], time, value);
        if (top && sign * *top > sign * sum.extreme) sum.extreme = *top;
      }
      break;
    }
    default: {
      if (first) {
        sum.begin = time;
        break;
      }
      const double step = time - sum.t[0];
      sum.sum += observable.kind == Kind::kRms
                     ? step * (value * value + value * sum.v[0] + sum.v[0] * sum.v[0]) / 3
                     : step * 0.5 * (value + sum.v[0]);
      break;
    }
  }
  sum.t[1] = sum.t[0];
  sum.v[1] = sum.v[0];
  sum.t[0] = time;
  sum.v[0] = value;
  ++sum.rows;
}

std::vector<double> Observer::values(const RunResult& result) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> all;
  for (std::size_t i = 0; i < observables_.size(); ++i) {
    const Accumulator& sum = accumulators_[i];
    const double span = sum.t[0] - sum.begin;
    double number = kNone;
    switch (observables_[i].kind) {
      case Kind::kTime:
        number = std::isfinite(result.accumulation) ? result.accumulation : result.status.time;
        break;
      case Kind::kEvents:
        number = static_cast<double>(result.events);
        break;
      case Kind::kSteps:
        number = static_cast<double>(result.statistics.steps);
        break;
      case Kind::kFinal:
        if (std::ranges::all_of(sum.columns, [&](int column) {
              return column == kTimeColumn || result.final_row_exists[column] != 0;
            }))
          number = value(i, result.status.time, result.final_row);
        break;
      case Kind::kAt:
        number = sum.at;
        break;
      case Kind::kMax:
      case Kind::kMin:
        number = sum.rows > 0 ? sum.extreme : kNone;
        break;
      case Kind::kMean:
        number = span > 0 ? sum.sum / span : sum.v[0];
        break;
      case Kind::kRms:
        number = span > 0 ? std::sqrt(sum.sum / span) : std::abs(sum.v[0]);
        break;
      case Kind::kIntegral:
        number = sum.sum;
        break;
    }
    all.push_back(number);
  }
  return all;
}

}  // namespace arges
