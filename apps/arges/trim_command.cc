// trim: a model at rest.

#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "any_model.h"
#include "arges/base/error.h"
#include "arges/experiment/trim.h"
#include "arges/plot/render.h"
#include "commands.h"
#include "console.h"
#include "delayed_subject.h"
#include "linear_output.h"

namespace arges::app {

namespace {

using Json = nlohmann::ordered_json;
using Complex = std::complex<double>;

// What becomes of a small disturbance of a steady state.
struct Judgement {
  bool is_known = true, stable = false, neutral = false;
  std::vector<Complex> eigenvalues{};
  std::optional<int> unstable_roots{};  // with delays there are infinitely many eigenvalues
  std::string why_not_known{};
};

std::vector<Judgement> judge(const ModelRegistry& models, const TrimCommand& command,
                             const HybridSystem& system, const TrimResult& result,
                             const RestingSubject& resting) {
  std::vector<Judgement> all;
  for (const SteadyState& each : result.solutions) {
    if (!resting.has_delays) {
      all.push_back({true, each.stable, each.neutral, each.eigenvalues, {}, {}});
      continue;
    }
    const DelayedStability found = stability_of(models, command.subject, system, each.at);
    Judgement& judgement = all.emplace_back();
    judgement.is_known = found.is_known;
    judgement.stable = found.stable();
    judgement.neutral = found.neutral();
    judgement.why_not_known = found.why;
    if (found.is_known) judgement.unstable_roots = found.roots.count;
  }
  return all;
}

void print_state(const HybridSystem& system, const SteadyState& state, const Judgement& judged) {
  const char* kind = !judged.is_known ? "a"
                     : judged.stable  ? "stable"
                     : judged.neutral ? "neutral"
                                      : "unstable";
  fmt::print("{} steady state, residual {:.1e}{}\n", kind, state.residual,
             state.found_by == "run" ? ", found by running the model" : "");
  for (const NamedValue& value : values_at(system, state.at))
    fmt::print("  {:<20} {:.15g}\n", value.name, value.value);
  for (const Complex value : judged.eigenvalues)
    fmt::print("  eigenvalue           {}\n", text_of(value));
  if (judged.unstable_roots)
    fmt::print("  growing modes        {} (roots of the characteristic equation with delays)\n",
               *judged.unstable_roots);
  if (!judged.is_known)
    fmt::print("  whether it is stable is not judged: {}\n", judged.why_not_known);
}

}  // namespace

int trim(const ModelRegistry& models, const TrimCommand& command) try {
  if (command.plot) plot::check_picture_path(*command.plot);
  const RestingSubject resting(models, command.subject);
  const AnyModel& subject = *resting.model;
  if (resting.has_delays && command.plot)
    throw UserError("a model with delays has infinitely many eigenvalues: none are drawn",
                    {"plot"});
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
  const std::vector<Judgement> judged = judge(models, command, *start.system, result, resting);
  const char* status = result.cancelled           ? "cancelled"
                       : result.solutions.empty() ? "not_found"
                                                  : "found";
  if (command.json) {
    Json solutions = Json::array();
    for (std::size_t k = 0; k < result.solutions.size(); ++k) {
      const SteadyState& each = result.solutions[k];
      Json solution = {{"values", json_of(values_at(*start.system, each.at))},
                       {"residual", each.residual},
                       {"stable", judged[k].is_known ? Json(judged[k].stable) : Json(nullptr)},
                       {"eigenvalues", json_of(judged[k].eigenvalues)}};
      if (!judged[k].is_known) solution["not_judged"] = judged[k].why_not_known;
      if (judged[k].unstable_roots) solution["unstable_roots"] = *judged[k].unstable_roots;
      solutions.push_back(std::move(solution));
    }
    fmt::print(
        "{}\n",
        Json{{"status", status}, {"solutions", solutions}, {"message", result.message}}.dump(2));
  } else {
    for (std::size_t k = 0; k < result.solutions.size(); ++k)
      print_state(*start.system, result.solutions[k], judged[k]);
    if (!result.solutions.empty()) fmt::print("{}\n", result.message);
  }
  if (command.plot && !result.solutions.empty()) {
    std::vector<std::pair<std::string, std::vector<Complex>>> eigenvalues;
    for (const Judgement& each : judged)
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

}  // namespace arges::app
