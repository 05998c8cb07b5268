// trim, linearize and bode: a model at rest, and near a point.

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
#include "arges/experiment/specification.h"
#include "arges/experiment/trim.h"
#include "arges/plot/figure.h"
#include "arges/plot/render.h"
#include "commands.h"
#include "console.h"

namespace arges::app {

namespace {

using Json = nlohmann::ordered_json;
using Complex = std::complex<double>;

Json json_of(const Matrix& matrix) {
  Json rows = Json::array();
  for (int i = 0; i < matrix.rows; ++i) {
    Json row = Json::array();
    for (int j = 0; j < matrix.columns; ++j) row.push_back(matrix(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json json_of(const std::vector<Complex>& values) {
  Json list = Json::array();
  for (const Complex value : values) list.push_back({value.real(), value.imag()});
  return list;
}

std::string text_of(Complex value) {
  if (value.imag() == 0) return fmt::format("{:.12g}", value.real());
  return fmt::format("{:.12g} {} {:.12g}i", value.real(), value.imag() < 0 ? '-' : '+',
                     std::abs(value.imag()));
}

// Every variable that exists at a point, by name.
std::vector<NamedValue> values_at(const HybridSystem& model, const Context& at) {
  const Schema& schema = model.schema();
  std::vector<NamedValue> values;
  const auto add = [&](const std::vector<VariableInfo>& list, const std::vector<double>& numbers) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list[i].hidden) values.push_back({list[i].name, numbers[i], list[i].type});
    }
  };
  add(schema.modes[at.mode.index].states, at.x);
  std::vector<double> outputs(schema.outputs.size());
  model.outputs(point_at(at), Outputs(outputs.data()));
  add(schema.outputs, outputs);
  add(schema.discretes, at.z);
  add(schema.inputs, at.u);
  return values;
}

Json json_of(const std::vector<NamedValue>& values) {
  Json object = Json::object();
  for (const NamedValue& value : values) object[value.name] = json_value(value);
  return object;
}

void print_matrix(const char* name, const Matrix& matrix) {
  if (matrix.values.empty()) return;
  fmt::print("{}\n", name);
  for (int i = 0; i < matrix.rows; ++i) {
    for (int j = 0; j < matrix.columns; ++j) fmt::print(" {:>15.8g}", matrix(i, j));
    fmt::print("\n");
  }
}

Json json_of(const LinearModel& linear) {
  return {{"states", linear.states},       {"inputs", linear.inputs},
          {"outputs", linear.outputs},     {"A", json_of(linear.A)},
          {"B", json_of(linear.B)},        {"C", json_of(linear.C)},
          {"D", json_of(linear.D)},        {"eigenvalues", json_of(linear.eigenvalues)},
          {"stiffness", linear.stiffness}, {"time", linear.time}};
}

void print_linear(const LinearModel& linear) {
  fmt::print("t = {:.10g}\n", linear.time);
  fmt::print("states: {}\n", fmt::join(linear.states, ", "));
  if (!linear.inputs.empty()) fmt::print("inputs: {}\n", fmt::join(linear.inputs, ", "));
  if (!linear.outputs.empty()) fmt::print("outputs: {}\n", fmt::join(linear.outputs, ", "));
  print_matrix("A", linear.A);
  print_matrix("B", linear.B);
  print_matrix("C", linear.C);
  print_matrix("D", linear.D);
  fmt::print("eigenvalues\n");
  for (const Complex value : linear.eigenvalues) fmt::print("  {}\n", text_of(value));
  if (linear.stiffness > 0) fmt::print("stiffness ratio: {:.6g}\n", linear.stiffness);
}

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
LinearModel linearise_there(const HybridSystem& system, const Context& point,
                            const LinearizeCommand& command) {
  try {
    return linearise(system, point, wishes(command));
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

// Goes to the points at which to linearise, one after another: "trim", or times.
void each_point(const AnyModel& subject, const std::string& at,
                const std::function<void(const HybridSystem&, const Context&)>& take) {
  if (at == "trim") {
    TrimRequest request;
    request.cancel = &interrupted();
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
    place += text.size() + 1;
  }
  for (const double time : times) {
    const Moment moment = subject.at(time);
    take(*moment.system, moment.at);
  }
}

// In the complex plane; left of the line what decays.
void draw_eigenvalues(
    const std::string& path, const std::string& title,
    const std::vector<std::pair<std::string, std::vector<Complex>>>& eigenvalues) {
  plot::Figure figure =
      plot::make_figure(title, {"real part of the eigenvalues", "1/s"}, {"imaginary part", "1/s"});
  for (const auto& [name, values] : eigenvalues) {
    std::vector<double> re, im;
    for (const Complex value : values) {
      re.push_back(value.real());
      im.push_back(value.imag());
    }
    figure.panel().add(plot::points(std::move(re), std::move(im), name));
  }
  figure.panel().references.push_back({.value = 0, .vertical = true});
  if (eigenvalues.size() > 8) figure.panel().palette = plot::Palette::kSequential;
  for (const std::string& warning : plot::render(figure, path)) print_note(warning);
}

void draw_bode(const std::string& path, const std::string& title, std::span<const double> omega,
               std::span<const double> decibels, std::span<const double> degrees) {
  plot::Figure figure = plot::make_stack(title, plot::log_axis("angular frequency", "rad/s"),
                                         {{"magnitude", "dB"}, {"phase", "deg"}});
  const std::vector<double> x(omega.begin(), omega.end());
  figure.panels[0].add(plot::line(x, {decibels.begin(), decibels.end()}));
  figure.panels[1].add(plot::line(x, {degrees.begin(), degrees.end()}));
  for (const std::string& warning : plot::render(figure, path)) print_note(warning);
}

}  // namespace

int trim(const ModelRegistry& models, const TrimCommand& command) try {
  if (command.plot) plot::check_picture_path(*command.plot);
  const AnyModel subject(models, command.subject);
  const Moment start = subject.at(subject.options().start_time);
  TrimRequest request;
  request.more_starts = command.starts - 1;
  request.seed = command.seed;
  request.cancel = &interrupted();
  TrimResult result;
  {
    ProgressBar bar(command.subject.model);
    request.progress = [&](double part) { bar.update(part); };
    result = arges::trim(*start.system, start.at, request);
  }
  const char* status = result.cancelled           ? "cancelled"
                       : result.solutions.empty() ? "not_found"
                                                  : "found";
  if (command.json) {
    Json solutions = Json::array();
    for (const SteadyState& each : result.solutions) {
      solutions.push_back({{"values", json_of(values_at(*start.system, each.at))},
                           {"residual", each.residual},
                           {"stable", each.stable},
                           {"eigenvalues", json_of(each.eigenvalues)}});
    }
    fmt::print(
        "{}\n",
        Json{{"status", status}, {"solutions", solutions}, {"message", result.message}}.dump(2));
  } else {
    for (const SteadyState& each : result.solutions) {
      const char* kind = each.stable ? "stable" : each.neutral ? "neutral" : "unstable";
      fmt::print("{} steady state, residual {:.1e}{}\n", kind, each.residual,
                 each.found_by == "run" ? ", found by running the model" : "");
      for (const NamedValue& value : values_at(*start.system, each.at))
        fmt::print("  {:<20} {:.15g}\n", value.name, value.value);
      for (const Complex value : each.eigenvalues)
        fmt::print("  eigenvalue           {}\n", text_of(value));
    }
    if (!result.solutions.empty()) fmt::print("{}\n", result.message);
  }
  if (command.plot && !result.solutions.empty()) {
    std::vector<std::pair<std::string, std::vector<Complex>>> eigenvalues;
    for (const SteadyState& each : result.solutions)
      eigenvalues.emplace_back(fmt::format("state {}", eigenvalues.size() + 1), each.eigenvalues);
    draw_eigenvalues(*command.plot, subject.name(), eigenvalues);
  }
  if (result.cancelled) {
    print_error(
        fmt::format("interrupted: {} until then",
                    result.solutions.size() == 1
                        ? std::string("one steady state was found")
                        : fmt::format("{} steady states were found", result.solutions.size())));
    return interruption_exit_code();
  }
  if (!result.solutions.empty()) return 0;
  print_error(
      fmt::format("no steady state found: {}; --starts 50 tries more points, -p gives other ones",
                  result.message));
  return exit_code(RunReason::kNewtonFailed);
} catch (const RunFailed& failure) {
  return report(failure, command.json);
}

int linearize(const ModelRegistry& models, const LinearizeCommand& command) try {
  if (command.plot) plot::check_picture_path(*command.plot);
  const AnyModel subject(models, command.subject);
  const std::string at =
      command.at.empty() ? fmt::format("{}", subject.options().start_time) : command.at;
  std::vector<LinearModel> linear;
  std::optional<RunFailed> cut_off;
  try {
    each_point(subject, at, [&](const HybridSystem& system, const Context& point) {
      linear.push_back(linearise_there(system, point, command));
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
  const AnyModel subject(models, how.subject);
  const std::string at = how.at.empty() ? fmt::format("{}", subject.options().start_time) : how.at;
  if (at.find(',') != std::string::npos)
    throw UserError("a Bode diagram is of one point: give one --at", {"at"});
  LinearModel linear;
  each_point(subject, at, [&](const HybridSystem& system, const Context& point) {
    linear = linearise_there(system, point, how);
  });
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
  const std::vector<Complex> response = frequency_response(linear, 0, 0, omega);
  const std::vector<double> degrees = unwrapped_phase(response);
  std::vector<double> decibels;
  for (const Complex value : response) decibels.push_back(20 * std::log10(std::abs(value)));
  const std::vector<Complex> zeros = transmission_zeros(linear, 0, 0);
  const std::string title =
      fmt::format("{}: from {} to {}", subject.name(), linear.inputs[0], linear.outputs[0]);
  if (how.plot) draw_bode(*how.plot, title, omega, decibels, degrees);
  if (how.json) {
    fmt::print("{}\n", Json{{"input", linear.inputs[0]},
                            {"output", linear.outputs[0]},
                            {"poles", json_of(linear.eigenvalues)},
                            {"zeros", json_of(zeros)},
                            {"omega", omega},
                            {"response", json_of(response)},
                            {"magnitude_db", decibels},
                            {"phase_deg", degrees}}
                           .dump(2));
    return 0;
  }
  fmt::print("{}\npoles\n", title);
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
