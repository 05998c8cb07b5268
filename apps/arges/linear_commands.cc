// linearize and bode: a model near a point.

#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "any_model.h"
#include "arges/base/atomic_file.h"
#include "arges/base/error.h"
#include "arges/base/parse_number.h"
#include "arges/experiment/frequency.h"
#include "arges/experiment/linearise.h"
#include "arges/experiment/pade.h"
#include "arges/experiment/specification.h"
#include "arges/experiment/trim.h"
#include "arges/plot/figure.h"
#include "arges/plot/render.h"
#include "commands.h"
#include "console.h"
#include "delayed_subject.h"
#include "linear_output.h"

namespace arges::app {

namespace {

using Json = nlohmann::ordered_json;
using Complex = std::complex<double>;

LineariseRequest wishes(const LinearizeCommand& command) {
  LineariseRequest request;
  const auto list = [](const std::vector<std::string>& texts) {
    std::optional<std::vector<std::string>> names;
    for (const std::string& text : texts) {
      if (!names) names.emplace();
      for (std::string& name : split_names(text)) names->push_back(std::move(name));
    }
    return names;
  };
  request.inputs = list(command.inputs);
  request.outputs = list(command.outputs);
  return request;
}

// With the place of a name that is not there.
LinearModel with_places(const LinearizeCommand& command,
                        const std::function<LinearModel()>& linearise_it) {
  try {
    return linearise_it();
  } catch (const UnknownName& error) {
    std::size_t left = error.position;
    for (const std::string& list : error.is_input ? command.inputs : command.outputs) {
      std::size_t place = 0;
      for (const std::string& name : split_names(list)) {
        place = list.find(name, place);
        if (left-- == 0) throw UserError(complaint(error.what(), list, place));
        place += name.size();
      }
    }
    throw;
  }
}

// What there is besides the delays: names, and as eigenvalues the frequencies of interest. The
// poles are infinitely many.
LinearModel without_delays(const DelayedModel& delayed) {
  LinearModel model;
  model.time = delayed.open.time;
  const auto shown = [&](std::vector<std::string> names) {
    names.resize(names.size() - delayed.times.size());
    return names;
  };
  model.inputs = shown(delayed.open.inputs);
  model.outputs = shown(delayed.open.outputs);
  model.eigenvalues = delayed.open.eigenvalues;
  for (const double time : delayed.times) {
    if (time > 0) model.eigenvalues.emplace_back(1 / time);
  }
  return model;
}

// Goes to the points at which to linearise, one after another: "trim", or times.
void each_point(const AnyModel& subject, const std::string& at,
                const std::function<void(const HybridSystem&, const Context&)>& take) {
  ProgressBar bar(subject.name());
  if (at == "trim") {
    TrimRequest request;
    request.cancel = &interrupted();
    request.progress = [&](double part) { bar.update(part); };
    const Moment start = subject.at(subject.options().start_time);
    TrimResult found = trim(*start.system, start.at, request);
    if (found.solutions.empty())
      throw RunFailed{{RunReason::kNewtonFailed, 0, "", "no steady state: " + found.message}};
    take(*start.system, found.solutions.front().at);
    return;
  }
  std::vector<double> times;
  std::size_t place = 0;
  for (const std::string& text : split_names(at)) {
    place = at.find(text, place);
    const auto time = parse_number(text);
    if (text == "trim")
      throw UserError(complaint("trim stands alone: give times, or --at trim", at, place));
    if (!time || !std::isfinite(*time))
      throw UserError(
          complaint(fmt::format("'{}' is neither a time nor the word trim", text), at, place));
    const double start = subject.options().start_time;
    if (*time < start)
      throw UserError(complaint(fmt::format("the time is before the start, {}", start), at, place));
    times.push_back(*time);
    place += text.size();
  }
  // Each run begins at the start.
  double all = 0, done = 0;
  for (const double time : times) all += time - subject.options().start_time;
  for (const double time : times) {
    const double length = time - subject.options().start_time;
    const Moment moment =
        subject.at(time, [&](double part) { bar.update((done + part * length) / all); });
    take(*moment.system, moment.at);
    done += length;
  }
}

// Of a model with delays.
void refuse_later(const AnyModel& subject, const std::string& at, const char* what) {
  if (at == "trim" || parse_number(at) == subject.options().start_time) return;
  throw UserError(complaint(fmt::format("with delays {} is that of a steady state (trim) or of the "
                                        "start: later a point has a past of its own",
                                        what),
                            at, 0));
}

}  // namespace

int linearize(const ModelRegistry& models, const LinearizeCommand& command) try {
  if (command.plot) plot::check_picture_path(*command.plot);
  const RestingSubject resting(models, command.subject);
  const AnyModel& subject = *resting.model;
  const std::string at =
      command.at.empty() ? fmt::format("{}", subject.options().start_time) : command.at;
  if (resting.has_delays && !command.pade)
    throw UserError(
        fmt::format("{} has delays, whose pasts are a part of its state: there is no linear model "
                    "with finitely many states; --pade N approximates each delay by N of them "
                    "(trim and bode take delays as they are)",
                    subject.name()));
  if (resting.has_delays) refuse_later(subject, at, "a linear model");
  std::vector<LinearModel> linear;
  std::optional<RunFailed> cut_off;
  try {
    each_point(subject, at, [&](const HybridSystem& system, const Context& point) {
      linear.push_back(with_places(command, [&] {
        if (!resting.has_delays) return linearise(system, point, wishes(command));
        return with_pade(linearise_delayed(models, command.subject, system, point, wishes(command)),
                         *command.pade);
      }));
    });
  } catch (const RunFailed& failure) {
    if (linear.empty()) throw;
    cut_off = failure;
  }
  if (command.plot) {
    std::vector<std::pair<std::string, std::vector<Complex>>> eigenvalues;
    for (const LinearModel& each : linear)
      eigenvalues.emplace_back(fmt::format("t = {:g}", each.time), each.eigenvalues);
    draw_eigenvalues(*command.plot, subject.name(), eigenvalues);
  }
  if (command.json) {
    Json all = Json::array();
    for (const LinearModel& each : linear) all.push_back(json_of(each));
    fmt::print("{}\n", (at.find(',') == std::string::npos ? all[0] : all).dump(2));
  } else {
    for (const LinearModel& each : linear) print_linear(each);
  }
  if (cut_off) return report(*cut_off, false);
  return 0;
} catch (const RunFailed& failure) {
  return report(failure, command.json);
}

int bode(const ModelRegistry& models, const BodeCommand& command) try {
  const LinearizeCommand& how = command.linearize;
  if (how.plot) plot::check_picture_path(*how.plot);
  const RestingSubject resting(models, how.subject);
  const AnyModel& subject = *resting.model;
  const std::string at = how.at.empty() ? fmt::format("{}", subject.options().start_time) : how.at;
  if (at.find(',') != std::string::npos)
    throw UserError("a Bode diagram is of one point: give one --at", {"at"});
  if (resting.has_delays) refuse_later(subject, at, "a Bode diagram");
  LinearModel linear;
  std::optional<DelayedModel> delayed;
  each_point(subject, at, [&](const HybridSystem& system, const Context& point) {
    linear = with_places(how, [&] {
      if (!resting.has_delays) return linearise(system, point, wishes(how));
      delayed = linearise_delayed(models, how.subject, system, point, wishes(how));
      return without_delays(*delayed);
    });
  });
  if (linear.inputs.empty() && how.inputs.empty())
    throw UserError(fmt::format("{} has no inputs, and a Bode diagram is of what an input does",
                                subject.name()));
  if (linear.inputs.size() != 1 || linear.outputs.size() != 1) {
    throw UserError(fmt::format("a Bode diagram is of one input and one output, not of {} and {}: "
                                "name them by --inputs "
                                "and --outputs",
                                linear.inputs.size(), linear.outputs.size()),
                    {linear.inputs.size() != 1 ? "inputs" : "outputs"});
  }
  std::vector<double> omega = frequencies_of_interest(linear);
  if (command.range) {
    const auto [from, to] = parse_range("--range", *command.range);
    if (!(from > 0) || !(to > from))
      throw UserError(fmt::format("--range {}: 0 < from < to is needed", *command.range));
    const int count = static_cast<int>(100 * std::log10(to / from)) + 2;
    omega.resize(count);
    for (int i = 0; i < count; ++i) omega[i] = from * std::pow(to / from, i / (count - 1.0));
  }
  const std::vector<Complex> response =
      delayed ? frequency_response(*delayed, 0, 0, omega) : frequency_response(linear, 0, 0, omega);
  const std::vector<double> degrees = unwrapped_phase(response);
  std::vector<double> decibels;
  for (const Complex value : response) decibels.push_back(20 * std::log10(std::abs(value)));
  std::vector<Complex> zeros;
  if (delayed) {
    linear.eigenvalues.clear();
  } else {
    zeros = transmission_zeros(linear, 0, 0);
  }
  const std::string title =
      fmt::format("{}: from {} to {}", subject.name(), linear.inputs[0], linear.outputs[0]);
  if (how.plot) draw_bode(*how.plot, title, omega, decibels, degrees);
  if (how.json) {
    Json all{{"input", linear.inputs[0]},
             {"output", linear.outputs[0]},
             {"poles", json_of(linear.eigenvalues)},
             {"zeros", json_of(zeros)},
             {"omega", omega},
             {"response", json_of(response)},
             {"magnitude_db", decibels},
             {"phase_deg", degrees}};
    if (delayed) all["delays"] = delayed->times;
    fmt::print("{}\n", all.dump(2));
    return 0;
  }
  fmt::print("{}\n{}\n", title,
             delayed ? "poles and zeros: infinitely many, for there are delays" : "poles");
  for (const Complex value : linear.eigenvalues) fmt::print("  {}\n", text_of(value));
  if (!zeros.empty()) fmt::print("zeros\n");
  for (const Complex value : zeros) fmt::print("  {}\n", text_of(value));
  fmt::print("{:>14} {:>14} {:>12}\n", "omega, rad/s", "magnitude, dB", "phase, deg");
  const std::size_t stride = std::max<std::size_t>(1, omega.size() / 24);
  for (std::size_t i = 0; i < omega.size(); i += stride)
    fmt::print("{:>14.6g} {:>14.6g} {:>12.5g}\n", omega[i], decibels[i], degrees[i]);
  return 0;
} catch (const RunFailed& failure) {
  return report(failure, command.linearize.json);
}

}  // namespace arges::app
