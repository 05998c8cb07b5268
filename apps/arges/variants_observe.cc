// variants --observe: every variant is run.

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "any_model.h"
#include "arges/base/hash.h"
#include "arges/base/version.h"
#include "arges/experiment/ensemble.h"
#include "arges/experiment/journal.h"
#include "arges/experiment/ranks.h"
#include "arges/experiment/run_function.h"
#include "arges/plot/render.h"
#include "arges/variants/variant_search.h"
#include "console.h"
#include "study_output.h"
#include "subject.h"
#include "variants_modes.h"
#include "variants_output.h"

namespace arges::app {

using namespace arges::variants;
using Json = nlohmann::ordered_json;

namespace {

// One a decision: the number that it is, or which option (1 is the first); 0 where there is nothing
// to decide.
std::vector<double> numbers_of_choices(const EntityStructure& structure, const Variant& variant) {
  std::vector<double> numbers(structure.decisions.size(), 0);
  for (const Choice& each : variant.choices) {
    const Decision& decision = structure.decisions[each.decision];
    numbers[each.decision] = decision.kind == Decision::Kind::kNumber
                                 ? decision.value(each.option)
                                 : static_cast<double>(each.option + 1);
  }
  return numbers;
}

// What is observed of all variants.
struct Observation {
  const EntityStructure& structure;
  const std::vector<Variant>& all;
  VariantSetup setup;
  RunFormulas formulas;
  std::vector<std::string> titles{};

  std::vector<double> numbers(const Variant& variant) const {
    const auto& values = setup.request.values;
    const auto known = numbers_of(structure, variant, {values.begin(), values.end()});
    std::vector<double> numbers;
    for (const std::string& name : formulas.names())
      numbers.push_back(known.contains(name) ? known.at(name) : 0);
    return numbers;
  }
};

// The file of --out, and the journal beside it.
struct VariantsFile {
  std::unique_ptr<StudyFile> file;
  std::optional<Journal> journal{};
  std::int64_t kept = 0;  // variants that the file has already

  VariantsFile(const Observation& wish, const VariantsCommand& command) {
    const EntityStructure& structure = wish.structure;
    StudyTitle title{structure.root.text, "variants", {}, {}, {}};
    std::vector<std::string> decided;
    for (const Decision& each : structure.decisions) decided.push_back(each.name);
    for (const std::string& each : decided) title.parameters.push_back(title_of_varied(each));
    for (const std::string& each : wish.titles)
      title.observables.push_back(title_of_observed(each, decided));
    const SubjectOptions& runs = command.subject;
    std::string study = fmt::format(
        "{}|{:x}|{}|{}|{}|{}|{}|{}", kVersion, fnv1a(read_whole_file(runs.model, "the structure")),
        wish.all.size(), fmt::join(wish.titles, "|"), fmt::join(runs.assignments, "|"),
        runs.stop_time.value_or(-1), runs.rtol.value_or(-1), runs.solver.value_or(""));
    study += fmt::format("|{} {} {} {} {} {} {}", runs.start_time.value_or(0),
                         runs.atol.value_or(-1), runs.step.value_or(0), runs.interval.value_or(-1),
                         runs.max_steps.value_or(0), runs.max_events.value_or(0), runs.on_zeno);
    for (const Variant& each : wish.all) study += "|" + describe(structure, each);
    title.description = study;
    file = open_study_file(*command.out, title);
    journal.emplace(*command.out + ".journal", study, command.resume);
    if (!command.resume) return;
    std::vector<Band> no_bands;
    kept = know_rows_of_file(*journal, *command.out, title, no_bands).runs;
    print_note(fmt::format("{} variants are done already", journal->known()));
  }
  // With so many rows. Interrupted before the rows of the file were there again, it stays as it is.
  void finish(std::size_t rows, bool complete) {
    if (static_cast<std::int64_t>(rows) >= kept) file->finish();
    if (complete) journal->remove();
  }
};

class VariantWorker final : public Worker {
 public:
  explicit VariantWorker(const Observation& wish) : wish_(wish) {}
  StudyRow run(std::int64_t index) override {
    const Variant& variant = wish_.all[static_cast<std::size_t>(index)];
    ModelFunction::Result result = run_variant(wish_.structure, variant, wish_.setup);
    StudyRow row{index,
                 numbers_of_choices(wish_.structure, variant),
                 {},
                 result.status,
                 std::move(result.message)};
    const std::vector<double> numbers = wish_.numbers(variant);
    for (std::size_t i = 0; i < wish_.titles.size(); ++i)
      row.observables.push_back(wish_.formulas.value(i, numbers, result.observables));
    return row;
  }

 private:
  const Observation& wish_;
};

void draw_variants(const std::string& path, const std::vector<std::string>& titles,
                   const std::vector<StudyRow>& rows, const std::string& title) {
  plot::Figure figure = plot::make_figure(title, {"variant"}, {""});
  for (std::size_t i = 0; i < titles.size(); ++i) {
    std::vector<double> numbers, values;
    for (const StudyRow& row : rows) {
      numbers.push_back(static_cast<double>(row.index + 1));
      values.push_back(row.observables[i]);
    }
    figure.panel().add(plot::points(numbers, values, titles[i]));
  }
  for (const std::string& warning : plot::render(figure, path)) print_note(warning);
}

void print_observed(const Observation& wish, const std::vector<StudyRow>& rows, bool json) {
  const EntityStructure& structure = wish.structure;
  const std::vector<Variant>& all = wish.all;
  if (json) {
    Json list = Json::array();
    for (const StudyRow& row : rows) {
      Json observables = Json::object();
      for (std::size_t i = 0; i < wish.titles.size(); ++i)
        observables[wish.titles[i]] = number_json(row.observables[i]);
      Json object{{"number", row.index + 1},
                  {"choices", choices_json(structure, all[static_cast<std::size_t>(row.index)])},
                  {"status", arges::to_string(row.status)},
                  {"observables", observables}};
      if (!row.message.empty()) object["message"] = row.message;
      list.push_back(std::move(object));
    }
    fmt::print("{}\n", Json{{"decisions", decisions_json(structure)}, {"variants", list}}.dump(2));
    return;
  }
  auto lines = choice_rows(structure, all);
  std::vector<std::vector<std::string>> table{lines[0]};
  for (const std::string& each : wish.titles) table[0].push_back(each);
  table[0].emplace_back("status");
  for (const StudyRow& row : rows) {
    std::vector<std::string>& line = lines[static_cast<std::size_t>(row.index) + 1];
    for (const double value : row.observables)
      line.push_back(std::isnan(value) ? "-" : fmt::format("{:.6g}", value));
    line.emplace_back(arges::to_string(row.status));
    table.push_back(std::move(line));
  }
  print_table(table);
}

int observe(const Observation& wish, const VariantsCommand& command) {
  std::vector<StudyRow> rows;
  std::optional<VariantsFile> out;
  if (command.out && rank_by_environment().rank == 0) out.emplace(wish, command);
  RanksAtRest ranks;
  {
    ProgressBar bar(command.subject.model);
    EnsembleOptions options;
    options.threads = command.threads;
    options.cancel = &interrupted();
    options.progress = [&](double part) { bar.update(part); };
    ranks = run_everywhere(
        static_cast<std::int64_t>(wish.all.size()),
        [&] { return std::make_unique<VariantWorker>(wish); },
        [&](std::unique_ptr<Worker> worker) {
          return out ? journalled(std::move(worker), *out->journal) : std::move(worker);
        },
        options,
        [&](const StudyRow& row) {
          rows.push_back(row);
          if (out) out->file->row(row);
          return true;
        });
  }
  if (out) out->finish(rows.size(), rows.size() == wish.all.size());
  if (command.plot && !rows.empty())
    draw_variants(*command.plot, wish.titles, rows, wish.structure.root.text);
  print_observed(wish, rows, command.json);
  for (const StudyRow& row : rows) {
    if (!row.message.empty())
      print_note(fmt::format(
          "variant {} ({}): {}", row.index + 1,
          describe(wish.structure, wish.all[static_cast<std::size_t>(row.index)]), row.message));
  }
  if (!interrupted()) return 0;
  print_error(fmt::format("interrupted: {} of {} variants are done{}", rows.size(), wish.all.size(),
                          out ? "; --resume does the rest" : ""));
  return interruption_exit_code();
}

}  // namespace

int observe_variants(const EntityStructure& structure, const Selection& selection,
                     const std::vector<Variant>& all, VariantSetup setup,
                     const VariantsCommand& command) {
  Observation wish{structure, all, std::move(setup), RunFormulas(structure.numbers)};
  for (const std::string& list : command.observe) {
    for (const std::string& text : split_names(list)) {
      wish.formulas.add(parse_noted(text));
      wish.titles.push_back(text);
    }
  }
  wish.setup.observables = wish.formulas.observables();
  check_setup(structure, selection, wish.setup);
  return observe(wish, command);
}

}  // namespace arges::app
