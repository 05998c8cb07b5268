// sweep and montecarlo: many runs of a model.

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "any_model.h"
#include "arges/base/error.h"
#include "arges/base/hash.h"
#include "arges/base/version.h"
#include "arges/experiment/journal.h"
#include "arges/experiment/ranks.h"
#include "arges/experiment/sampler.h"
#include "arges/experiment/specification.h"
#include "arges/plot/render.h"
#include "commands.h"
#include "console.h"
#include "study_output.h"

namespace arges::app {

namespace {

constexpr int kBandIntervals = 100;
constexpr std::int64_t kCheckedDraws = 1000;  // before the first run

// The model and all that its runs share; throws before anything is run.
struct Study {
  RanksAtRest ranks{};  // until everything is printed
  const StudyOptions& wish;
  AnyModel model;
  std::vector<std::string> names{};
  std::vector<Formula> noted{};
  std::vector<Observable> over_time{};  // of the bands
  RunFormulas formulas{{}};             // those that are noted, when the names are known
  RunValues values{};
  std::vector<std::vector<double>> examples{};  // of each value
  StudyTable table{};
  std::int64_t kept = 0;  // runs that the file of --resume has already

  Study(const ModelRegistry& models, const StudyOptions& the_wish)
      : wish(the_wish), model(models, the_wish.subject) {
    for (const std::string& list : wish.observe) {
      for (const std::string& text : split_names(list)) {
        // What is asked for twice is one column.
        if (std::ranges::find(noted, text, &Formula::text) == noted.end())
          noted.push_back(parse_noted(text));
      }
    }
    table.title.model = model.name();
    if (noted.empty()) {
      for (const std::string& name : model.what_is_noted()) noted.push_back(Formula::leaf(name));
    }
  }

  // The values of variables at times are observables like others, that nobody sees.
  void add_bands(const std::vector<std::string>& lists) {
    const RunOptions& options = model.options();
    if (!lists.empty() && !std::isfinite(options.stop_time))
      throw UserError("bands over time need an end of the runs: give --stop", {"bands"});
    for (const std::string& list : lists) {
      std::size_t place = 0;  // of the name in its list
      for (const std::string& name : split_names(list)) {
        place = list.find(name, place);
        if (std::ranges::find(table.bands, name, &Band::variable) != table.bands.end())
          throw UserError(
              complaint(fmt::format("the bands of '{}' are asked for twice", name), list, place));
        place += name.size();
        const Formula formula = Formula::parse(name, Formula::Leaves::kRow);
        const Band band(name, even_times(options.start_time, options.stop_time, kBandIntervals));
        for (const double time : band.times()) {
          Observable value;
          value.text = name;
          value.kind = Observable::Kind::kAt;
          value.formula = formula;
          value.time = time;
          over_time.push_back(value);
        }
        table.bands.push_back(band);
      }
    }
  }

  // Everything that rows depend on.
  std::string description(const std::vector<std::string>& texts) const {
    std::string text = fmt::format("{}|{}|{}", kVersion, table.title.kind, model.description());
    for (const Formula& each : noted) text += each.text() + "|";
    for (const Observable& each : over_time) text += fmt::format("{} {}|", each.text, each.time);
    if (std::ifstream file(wish.subject.model, std::ios::binary);
        file && std::filesystem::is_regular_file(wish.subject.model)) {
      const std::string content{std::istreambuf_iterator<char>(file),
                                std::istreambuf_iterator<char>()};
      text += fmt::format("{} {}|", wish.subject.class_name, fnv1a(content));
    }
    return text + fmt::format("{}|{}", fmt::join(texts, "|"), table.title.seed.value_or(0));
  }

  // Runs that give the values of what is noted, then of the bands. A name that is varied stands for
  // its value in a formula, when the model has no variable of that name.
  ModelFunctions functions() {
    std::vector<std::string> given;
    for (const Formula& each : noted) {
      for (const std::string& leaf : each.leaves()) {
        if (leaf != each.text() && std::ranges::find(names, leaf) != names.end() &&
            !model.has_variable(leaf))
          given.push_back(leaf);
      }
    }
    formulas = RunFormulas(given);
    for (const Formula& each : noted) formulas.add(each);
    std::vector<Observable> observables = formulas.observables();
    observables.insert(observables.end(), over_time.begin(), over_time.end());
    return with_formulas(model.functions(names, observables), formulas, names);
  }

  // The journal and the bands learn what the file of --out has. Returns how many runs that are.
  // Throws UserError when the study would have fewer runs than were done.
  std::int64_t resume(Journal& journal, std::int64_t count) {
    const bool is_new = journal.known() == 0;
    const auto [runs, in_bands] = know_rows_of_file(journal, *wish.out, table.title, table.bands);
    table.in_bands = in_bands;
    if (const std::int64_t done = std::max(runs, journal.end()); done > count) {
      if (is_new) journal.remove();
      throw UserError(fmt::format("'{}' has {} runs already, of which {} would be lost: give -n {} "
                                  "or more, or begin anew in another file",
                                  *wish.out, done, done - count, done),
                      {"n"});
    }
    print_note(fmt::format("{} runs are done already", journal.known()));
    return runs;
  }

  // `texts`: the values as the user wrote them.
  void run(std::int64_t count, const char* kind, const std::vector<std::string>& texts,
           std::optional<std::uint64_t> seed,
           const std::function<bool(const StudyTable&)>& enough) {
    table.title = {table.title.model, kind, {}, {}, seed};
    for (const std::string& name : names) table.title.parameters.push_back(title_of_varied(name));
    for (const Formula& each : noted)
      table.title.observables.push_back(title_of_observed(each.text(), names));
    table.summaries.resize(noted.size());
    model.check_names(names, texts, examples);
    const WorkerFactory make = study_workers(functions(), values);
    model.check_options();
    table.title.description = description(texts);
    std::optional<Journal> journal;
    if (wish.out && rank_by_environment().rank == 0) {
      table.file = open_study_file(*wish.out, table.title);
      journal.emplace(*wish.out + ".journal", table.title.description, wish.resume);
      if (wish.resume) kept = resume(*journal, count);
    }
    ProgressBar bar(wish.subject.model);
    EnsembleOptions ensemble;
    ensemble.threads = wish.threads;
    ensemble.cancel = &interrupted();
    ensemble.progress = [&](double part) { bar.update(part); };
    bool satisfied = false;
    const auto take = [&](const StudyRow& row) {
      satisfied = row.index >= kept && enough(table);
      // A run that was cut off by Ctrl-C is none.
      if (row.status == RunReason::kCancelled || satisfied) return false;
      table.add(row);
      return true;
    };
    const auto wrap = [&](std::unique_ptr<Worker> worker) {
      return journal ? journalled(std::move(worker), *journal) : std::move(worker);
    };
    try {
      ranks = run_everywhere(count, make, wrap, ensemble, take);
      // Interrupted before the rows of the file were there again: it stays as it is.
      if (table.file && table.count >= kept) table.finish_file();
    } catch (...) {
      // Options that no run can have: there is nothing to go on with.
      if (journal && journal->known() == 0 && table.count == 0) journal->remove();
      if (table.json && table.json->close_with_error()) std::throw_with_nested(JsonClosed{});
      throw;
    }
    if (journal && (table.count == count || satisfied)) journal->remove();
  }
};

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

}  // namespace

int sweep(const ModelRegistry& models, const SweepCommand& command) try {
  const StudyOptions& wish = command.study;
  check_files(wish);
  std::vector<SweepAxis> axes;
  for (const std::string& text : command.axes) axes.push_back(parse_axis(text));
  const std::int64_t count = sweep_size(axes);
  Study study(models, wish);
  for (const SweepAxis& axis : axes) {
    study.names.push_back(axis.name);
    study.examples.push_back(axis.values);
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
  for (const std::string& text : command.distributions) quantities.push_back(parse_random(text));
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
  for (const RandomQuantity& quantity : quantities) study.names.push_back(quantity.name);
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
    print_note(fmt::format("{} runs were not enough for {}: give a larger -n", table.count,
                           *command.until));
  }
  return finish(study, command.count);
} catch (const WorkDone&) {
  return 0;
}

}  // namespace arges::app
