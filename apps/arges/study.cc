#include "study.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/hash.h"
#include "arges/base/version.h"
#include "arges/experiment/ranks.h"
#include "arges/experiment/sampler.h"
#include "arges/experiment/specification.h"
#include "console.h"

namespace arges::app {

namespace {

constexpr int kBandIntervals = 100;

}  // namespace

Study::Study(const ModelRegistry& models, const StudyOptions& the_wish)
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

void Study::add_bands(const std::vector<std::string>& lists) {
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

std::string Study::description(const std::vector<std::string>& texts) const {
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

ModelFunctions Study::functions() {
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

std::int64_t Study::resume(Journal& journal, std::int64_t count) {
  const bool is_new = journal.known() == 0;
  KnownRuns known = know_rows_of_file(journal, *wish.out, table.title, table.bands);
  table.in_bands = known.in_bands;
  table.had_failed = std::move(known.failed);
  if (const std::int64_t done = std::max(known.runs, journal.end()); done > count) {
    if (is_new) journal.remove();
    throw UserError(fmt::format("'{}' has {} runs already, of which {} would be lost: give -n {} "
                                "or more, or begin anew in another file",
                                *wish.out, done, done - count, done),
                    {"n"});
  }
  print_note(fmt::format("{} runs are done already", journal.known()));
  return known.runs;
}

void Study::run(std::int64_t count, const char* kind, const std::vector<std::string>& texts,
                std::optional<std::uint64_t> seed,
                const std::function<bool(const StudyTable&)>& enough) {
  table.title = {table.title.model, kind, {}, {}, seed};
  table.title.words = words;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!words[i].empty()) model.set_words(names[i], words[i]);
  }
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
    if (satisfied) return false;
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

}  // namespace arges::app
