#include "arges/experiment/observable.h"

#include <algorithm>
#include <cctype>
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

constexpr double kMostListed = 1e5;  // rows of an interval that are kept as a list of times

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

// The place behind the parenthesis that closes the one at `open`. Names in quotes are skipped.
std::size_t behind_parenthesis(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '\'') at = std::min(text.find('\'', at + 1), text.size());
    if (at < text.size() && text[at] == '(') ++depth;
    if (at < text.size() && text[at] == ')' && --depth == 0) return at + 1;
  }
  throw UserError(complaint("a parenthesis is not closed", text, open));
}

[[noreturn]] void refuse_arithmetic(const std::string& text, std::size_t place) {
  if (text[place] == ')')
    throw UserError(complaint("this parenthesis was not opened", text, place));
  Formula::parse(text, Formula::Leaves::kRun);  // throws when it is no formula either
  throw UserError(
      complaint("one observable is wanted here, not a formula of several", text, place));
}

// What stands behind @: a time, or an event.
void take_place(Observable& observable, std::size_t begin) {
  const std::string& text = observable.text;
  const std::string place = text.substr(begin);
  const auto refuse = [&](std::size_t where) {
    throw UserError(complaint(
        "after @ there must be a time, or an event: x@2.5, x@bounce, x@bounce:3, x@'h <= 0':last",
        text, where));
  };
  if (const auto time = parse_number(place)) {
    if (!std::isfinite(*time)) refuse(begin);
    observable.kind = Kind::kAt;
    observable.time = *time;
    return;
  }
  observable.kind = Kind::kAtEvent;
  std::size_t end = place.find(':');
  if (place.starts_with("'")) {
    const std::size_t close = place.find('\'', 1);
    if (close == std::string::npos) refuse(begin);
    observable.event = place.substr(1, close - 1);
    end = close + 1;
  } else {
    observable.event = place.substr(0, end);
    const char first = place.empty() ? '0' : place[0];
    if (!std::isalpha(static_cast<unsigned char>(first)) && first != '_') refuse(begin);
  }
  if (observable.event.empty()) refuse(begin);
  if (end == std::string::npos || end >= place.size()) return;
  const std::string which = place.substr(end + 1);
  const auto number = parse_number(which);
  const bool counts = number && *number >= 1 && *number == std::floor(*number) && *number < 1e15;
  if (place[end] != ':' || (which != "last" && !counts)) refuse(begin + end);
  observable.occurrence = counts ? static_cast<std::int64_t>(*number) : Observable::kLast;
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
  const std::size_t quote = text.find('\'');
  const std::size_t open = text.find('(');
  const bool has_parentheses = open < quote;  // not those of a name or condition in quotes
  const std::size_t end = has_parentheses ? behind_parenthesis(text, open) : 0;
  if (has_parentheses && end == text.size() && !text.starts_with("der(")) {
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
    observable.formula =
        Formula::parse_part(text, open + 1, text.size() - 1, Formula::Leaves::kRow);
    return observable;
  }
  const std::size_t at = text.rfind('@');
  const std::string variable = text.substr(0, at);
  if (variable.empty()) throw UserError(complaint("a variable is missing", text, 0));
  if (has_parentheses && end != variable.size()) refuse_arithmetic(text, end);
  observable.formula = Formula::leaf(variable);
  if (at != std::string::npos) take_place(observable, at + 1);
  return observable;
}

Observer::Observer(std::vector<Observable> observables, const ResultLayout& layout,
                   const RunOptions& options, Rows rows, const std::vector<std::string>* events)
    : observables_(std::move(observables)), accumulators_(observables_.size()), rows_(rows) {
  for (std::size_t i = 0; i < observables_.size(); ++i) {
    const Observable& each = observables_[i];
    check(each, layout, options, events);
    needs_rows_ = needs_rows_ || each.needs_rows();
    if (each.kind == Kind::kAt) {
      at_times_.push_back({each.time, i});
    } else if (each.kind == Kind::kAtEvent) {
      at_events_.push_back(i);
    } else if (each.needs_rows()) {
      over_time_.push_back(i);
    }
  }
  std::ranges::sort(at_times_);
  bind(layout);
}

void Observer::check(const Observable& observable, const ResultLayout& layout,
                     const RunOptions& options, const std::vector<std::string>* events) const {
  const std::string& text = observable.text;
  for (const std::string& leaf : observable.formula.leaves()) {
    if (leaf == "time" ||
        std::ranges::find(layout.columns, leaf, &Column::name) != layout.columns.end())
      continue;
    std::vector<std::string> known;
    for (const Column& c : layout.columns) known.push_back(c.name);
    throw UserError(
        complaint(fmt::format("the model has no variable '{}'{}", leaf, did_you_mean(leaf, known)),
                  text, text.find(leaf)));
  }
  if (observable.kind == Kind::kAt &&
      !(options.start_time <= observable.time && observable.time <= options.stop_time)) {
    throw UserError(
        complaint(fmt::format("the run goes from {} to {}", options.start_time, options.stop_time),
                  text, text.rfind('@') + 1));
  }
  if (observable.kind == Kind::kAtEvent && events != nullptr &&
      std::ranges::find(*events, observable.event) == events->end()) {
    throw UserError(complaint(fmt::format("the model has no event '{}'{}", observable.event,
                                          did_you_mean(observable.event, *events)),
                              text, text.find('@') + 1));
  }
}

void Observer::bind(const ResultLayout& layout) {
  for (std::size_t i = 0; i < observables_.size(); ++i) {
    accumulators_[i].columns.clear();
    for (const std::string& leaf : observables_[i].formula.leaves()) {
      const auto column = std::ranges::find(layout.columns, leaf, &Column::name);
      const int missing = leaf == "time" ? kTimeColumn : kNoColumn;
      accumulators_[i].columns.push_back(column == layout.columns.end()
                                             ? missing
                                             : static_cast<int>(column - layout.columns.begin()));
    }
  }
}

void Observer::begin(const ResultLayout& layout) {
  if (rows_ == Rows::kHeld) bind(layout);
  start_run();
}

RunOptions Observer::adapt(RunOptions options) const {
  bool whole = false;
  for (const Observable& each : observables_) {
    if (each.kind == Kind::kAt) options.rows_at.push_back(each.time);
    whole = whole || each.over_time();
  }
  if (!whole) options.interval = std::numeric_limits<double>::max();
  // Pieces of curves end at rows: each has several points of an interval.
  const double span = options.stop_time - options.start_time;
  const double interval =
      static_cast<double>(kGaussPoints) * (options.interval == 0 ? span / 500 : options.interval);
  if (whole && std::isfinite(span) && interval > 0 && span / interval <= kMostListed) {
    for (int k = 1; k * interval < span; ++k)
      options.rows_at.push_back(options.start_time + k * interval);
    options.interval = RunOptions::kEveryStep;
  }
  std::ranges::sort(options.rows_at);
  return options;
}

void Observer::start_run() {
  next_at_ = 0;
  last_row_.clear();
  for (Accumulator& each : accumulators_)
    each = {.columns = std::move(each.columns), .at = std::numeric_limits<double>::quiet_NaN()};
}

double Observer::value(std::size_t observable, double time, std::span<const double> row) {
  leaves_.clear();
  for (const int column : accumulators_[observable].columns)
    leaves_.push_back(column == kTimeColumn ? time
                      : column == kNoColumn ? std::numeric_limits<double>::quiet_NaN()
                                            : row[static_cast<std::size_t>(column)]);
  return observables_[observable].formula.value(leaves_);
}

// A study with bands has hundreds of times: a row looks at those that are its own.
void Observer::row(double time, std::span<const double> values) {
  for (const std::size_t i : over_time_)
    add(observables_[i], accumulators_[i], time, value(i, time, values));
  if (rows_ == Rows::kHeld) {
    if (!at_times_.empty() || !at_events_.empty()) {
      settle_held(time, false);
      last_row_.assign(values.begin(), values.end());
    }
    return;
  }
  for (const std::size_t i : at_events_) {
    Accumulator& each = accumulators_[i];
    if (each.waits && each.event_time == time) each.at = value(i, time, values);
    each.waits = each.waits && each.event_time >= time;
  }
  while (next_at_ < at_times_.size() && at_times_[next_at_].first < time) ++next_at_;
  for (std::size_t k = next_at_; k < at_times_.size() && at_times_[k].first == time; ++k) {
    const std::size_t i = at_times_[k].second;
    accumulators_[i].at = value(i, time, values);
  }
}

void Observer::settle_held(double time, bool inclusive) {
  if (last_row_.empty()) return;
  const auto is_past = [&](double t) { return t < time || (inclusive && t == time); };
  for (; next_at_ < at_times_.size() && is_past(at_times_[next_at_].first); ++next_at_) {
    const auto [t, i] = at_times_[next_at_];
    accumulators_[i].at = value(i, t, last_row_);
  }
  for (const std::size_t i : at_events_) {
    Accumulator& each = accumulators_[i];
    if (!each.waits || !is_past(each.event_time)) continue;
    each.at = value(i, each.event_time, last_row_);
    each.waits = false;
  }
}

// Rows behind the event come later: the one at its time, or all of them where rows are held.
void Observer::event(const EventRecord& record) {
  for (const std::size_t i : at_events_) {
    const Observable& observable = observables_[i];
    Accumulator& each = accumulators_[i];
    if (record.component != observable.event) continue;
    // What is logged twice at one instant happened once.
    if (each.events > 0 && each.event_time == record.time) continue;
    ++each.events;
    if (observable.occurrence != Observable::kLast && each.events != observable.occurrence) {
      each.event_time = record.time;
      continue;
    }
    if (rows_ == Rows::kHeld) settle_held(record.time, false);
    each.event_time = record.time;
    each.waits = true;
  }
}

void Observer::add(const Observable& observable, Accumulator& sum, double time,
                   double value) const {
  const bool first = sum.rows == 0;
  if (first) sum.begin = time;
  sum.smooth = first || time == sum.t[0] ? 1 : std::min(sum.smooth + 1, 3);
  for (std::size_t k = 2; k > 0; --k) {
    sum.t[k] = sum.t[k - 1];
    sum.v[k] = sum.v[k - 1];
  }
  sum.t[0] = time;
  sum.v[0] = value;
  ++sum.rows;
  const double sign = observable.kind == Kind::kMax ? 1 : -1;
  if (first || sign * value > sign * sum.extreme) sum.extreme = value;
  if (rows_ == Rows::kHeld && !first) add_held(observable, sum);
}

// The newest row.
void Observer::add_held(const Observable& observable, Accumulator& sum) const {
  const double step = sum.t[0] - sum.t[1], value = sum.v[0], before = sum.v[1];
  if (observable.kind == Kind::kMax || observable.kind == Kind::kMin) {
    const double sign = observable.kind == Kind::kMax ? 1 : -1;
    if (sum.smooth < 3) return;
    const auto top = vertex(sum.t[2], sum.v[2], sum.t[1], before, sum.t[0], value);
    if (top && sign * *top > sign * sum.extreme) sum.extreme = *top;
  } else if (observable.kind == Kind::kRms) {
    sum.sum += step * (value * value + value * before + before * before) / 3;
  } else {
    sum.sum += step * 0.5 * (value + before);
  }
}

void Observer::curve(double from, double until, const RowAt& at) {
  const double middle = 0.5 * (from + until), half = 0.5 * (until - from);
  piece_.resize(over_time_.size());
  for (std::size_t k = 0; k < kGaussPoints; ++k) {
    const double time = middle + half * kGaussNodes[k];
    const std::span<const double> row = at(time);
    for (std::size_t j = 0; j < over_time_.size(); ++j)
      piece_[j][k] = value(over_time_[j], time, row);
  }
  for (std::size_t j = 0; j < over_time_.size(); ++j)
    add_piece(over_time_[j], from, until, piece_[j], at);
}

void Observer::add_piece(std::size_t observable, double from, double until,
                         const std::array<double, kGaussPoints>& values, const RowAt& at) {
  const Kind kind = observables_[observable].kind;
  Accumulator& sum = accumulators_[observable];
  const double middle = 0.5 * (from + until), half = 0.5 * (until - from);
  if (kind != Kind::kMax && kind != Kind::kMin) {
    for (std::size_t k = 0; k < kGaussPoints; ++k)
      sum.sum += half * kGaussWeights[k] * values[k] * (kind == Kind::kRms ? values[k] : 1);
    return;
  }
  // What is the largest so far is looked at closely, near the peak of the cubic.
  constexpr double kNear = 0.3, kDoubt = 1e-3;
  const double sign = kind == Kind::kMax ? 1 : -1;
  std::array<double, kGaussPoints> turned = values;
  for (double& each : turned) each *= sign;
  const auto [least, most] = std::ranges::minmax(turned);
  if (most > sign * sum.extreme) sum.extreme = sign * most;
  const std::optional<Peak> peak = peak_of_cubic(turned);
  if (!peak || peak->value + kDoubt * (most - least) < sign * sum.extreme) return;
  const double top = largest_between(
      [&](double s) {
        const double time = middle + half * s;
        return sign * value(observable, time, at(time));
      },
      std::max(peak->at - kNear, -1.0), std::min(peak->at + kNear, 1.0));
  if (top > sign * sum.extreme) sum.extreme = sign * top;
}

std::vector<double> Observer::values(const RunResult& result) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (rows_ == Rows::kHeld) settle_held(result.status.time, true);
  // Events that accumulate are an end like others.
  const bool ended = result.status.ok() || result.status.reason == RunReason::kZeno;
  std::vector<double> all;
  for (std::size_t i = 0; i < observables_.size(); ++i) {
    const Accumulator& sum = accumulators_[i];
    const double span = sum.t[0] - sum.begin;
    double number = kNone;
    const bool needs_the_end = observables_[i].over_time() || observables_[i].kind == Kind::kFinal;
    if (needs_the_end && !ended) {
      all.push_back(kNone);
      continue;
    }
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
      case Kind::kAtEvent:
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
