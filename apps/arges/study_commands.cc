// sweep and montecarlo: many runs of a model.

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/experiment/specification.h"
#include "arges/plot/render.h"
#include "commands.h"
#include "console.h"
#include "study.h"

namespace arges::app {

namespace {

constexpr std::int64_t kCheckedDraws = 1000;  // before the first run

int finish(const Study& study, std::int64_t count) {
  const StudyOptions& wish = study.wish;
  const StudyTable& table = study.table;
  for (const auto& [reason, failure] : table.failures)
    print_note(fmt::format("{} of {} runs ended as {}{}", failure.runs, table.count,
                           to_string(reason), failure.explanation()));
  for (std::size_t i = 0; i < table.without_value.size(); ++i) {
    if (table.without_value[i] == 0) continue;
    const Formula& formula = study.noted[i];
    std::string why;
    for (const Observable& each : study.formulas.observables()) {
      const bool is_in = std::ranges::find(formula.leaves(), each.text) != formula.leaves().end();
      if (is_in && each.kind == Observable::Kind::kAtEvent)
        why = fmt::format(": the event '{}' did not occur{}", each.event,
                          each.occurrence > 1 ? " so often" : "");
    }
    print_note(fmt::format("'{}' has no value in {} of {} runs{}", formula.text(),
                           table.without_value[i], table.count, why));
  }
  if (!interrupted()) return 0;
  print_error(fmt::format("interrupted: {} of {} runs are done, and kept{}",
                          std::max(table.count, study.kept), count,
                          wish.out ? "; --resume does the rest" : ""));
  return interruption_exit_code();
}

void check_files(const StudyOptions& wish) {
  if (wish.plot) plot::check_picture_path(*wish.plot);
  if (wish.out && !wish.out->ends_with(".csv") && !wish.out->ends_with(".h5"))
    throw UserError(
        fmt::format("--out {}: the rows of a study go to a file .csv or .h5", *wish.out));
  if (wish.resume && !wish.out)
    throw UserError("--resume goes on with the file of --out: give it, too");
}

// A text can be compiled with what is no number.
ListWords words_in_lists(const ModelRegistry& models, const SubjectOptions& subject) {
  const bool is_text =
      models.find_discrete(subject.model) == nullptr &&
      is_model_text(models, {.what = subject.model, .class_name = subject.class_name});
  return is_text ? ListWords::kAllowed : ListWords::kRefused;
}

}  // namespace

int sweep(const ModelRegistry& models, const SweepCommand& command) try {
  const StudyOptions& wish = command.study;
  check_files(wish);
  std::vector<SweepAxis> axes;
  const ListWords words = words_in_lists(models, wish.subject);
  for (const std::string& text : command.axes) axes.push_back(parse_axis(text, words));
  const std::int64_t count = sweep_size(axes);
  Study study(models, wish);
  for (const SweepAxis& axis : axes) {
    study.names.push_back(axis.name);
    study.examples.push_back(axis.values);
    study.words.push_back(axis.words);
  }
  study.values = [&](std::int64_t index) { return sweep_values(axes, index); };
  study.table.keeps_rows = wish.plot.has_value();
  study.table.json = wish.json ? std::make_unique<JsonRows>() : nullptr;
  study.run(count, "sweep", command.axes, study.model.seed(),
            [](const StudyTable&) { return false; });
  const StudyTable& table = study.table;
  if (wish.plot && table.count > 0) draw_sweep(*wish.plot, table, axes, command.log);
  if (wish.json) {
    table.json->finish(table);
  } else {
    print_rows(table);
  }
  return finish(study, count);
} catch (const WorkDone&) {
  return 0;
}

int montecarlo(const ModelRegistry& models, const MonteCarloCommand& command) try {
  const StudyOptions& wish = command.study;
  check_files(wish);
  std::vector<RandomQuantity> quantities;
  const ListWords words = words_in_lists(models, wish.subject);
  for (const std::string& text : command.distributions)
    quantities.push_back(parse_random(text, words));
  Study study(models, wish);
  std::optional<StopRule> rule;
  std::size_t watched = 0;
  if (command.until) {
    rule = parse_stop_rule(*command.until);
    std::vector<Formula>& all = study.noted;
    const auto found = std::ranges::find(all, rule->observable, &Formula::text);
    watched = static_cast<std::size_t>(found - all.begin());
    if (found == all.end()) all.push_back(parse_noted(rule->observable));
  }
  study.add_bands(command.bands);
  study.table.keeps_rows = false;
  study.table.json = wish.json ? std::make_unique<JsonRows>() : nullptr;
  for (const RandomQuantity& quantity : quantities) {
    study.names.push_back(quantity.name);
    study.words.push_back(quantity.words);
  }
  study.values = [&](std::int64_t index) { return random_values(quantities, command.seed, index); };
  study.examples.resize(quantities.size());
  for (std::int64_t index = 0; index < std::min(command.count, kCheckedDraws); ++index) {
    const std::vector<double> drawn = study.values(index);
    for (std::size_t i = 0; i < drawn.size(); ++i) study.examples[i].push_back(drawn[i]);
  }
  study.run(
      command.count, "montecarlo", command.distributions, command.seed,
      [&](const StudyTable& so_far) { return rule && rule->satisfied(so_far.summaries[watched]); });
  const StudyTable& table = study.table;
  if (wish.plot && table.count > 0) draw_distributions(*wish.plot, table);
  if (wish.json) {
    table.json->finish(table);
  } else {
    print_summary(table);
  }
  const bool satisfied = rule && rule->satisfied(table.summaries[watched]);
  if (rule && !satisfied && !interrupted()) {
    print_note(StopRule::has_scatter(table.summaries[watched])
                   ? fmt::format("{} runs were not enough for {}: give a larger -n", table.count,
                                 *command.until)
                   : fmt::format("{} runs all gave the same {}: how accurate its mean is cannot be "
                                 "told from them",
                                 table.count, rule->observable));
  }
  return finish(study, command.count);
} catch (const WorkDone&) {
  return 0;
}

}  // namespace arges::app
