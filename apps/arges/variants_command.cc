// variants: what a system entity structure describes, listed, run, searched.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "any_model.h"
#include "arges/base/error.h"
#include "arges/base/hash.h"
#include "arges/base/version.h"
#include "arges/experiment/ensemble.h"
#include "arges/experiment/journal.h"
#include "arges/experiment/optimise.h"
#include "arges/experiment/placed_text.h"
#include "arges/experiment/run_function.h"
#include "arges/plot/render.h"
#include "arges/variants/modelica_text.h"
#include "arges/variants/read_structure.h"
#include "arges/variants/variant_search.h"
#include "commands.h"
#include "console.h"
#include "search_output.h"
#include "study_output.h"
#include "subject.h"

namespace arges::app {

namespace {

using namespace arges::variants;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostVariants = 10000;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

const char* to_string(Decision::Kind kind) {
  switch (kind) {
    case Decision::Kind::kDecomposition:
      return "aspect";
    case Decision::Kind::kSpecialisation:
      return "specialisation";
    default:
      return "number";
  }
}

Json option_json(const Decision& decision, std::size_t option) {
  if (decision.kind == Decision::Kind::kNumber) return static_cast<int>(decision.value(option));
  return decision.options[option];
}

Json decisions_json(const EntityStructure& structure) {
  Json all = Json::array();
  for (const Decision& each : structure.decisions) {
    Json options = Json::array();
    for (std::size_t i = 0; i < each.options.size(); ++i) options.push_back(option_json(each, i));
    all.push_back({{"name", each.name}, {"kind", to_string(each.kind)}, {"options", options}});
  }
  return all;
}

Json choices_json(const EntityStructure& structure, const Variant& variant) {
  Json choices = Json::object();
  for (const Choice& each : variant.choices) {
    const Decision& decision = structure.decisions[each.decision];
    choices[decision.name] = option_json(decision, each.option);
  }
  return choices;
}

std::vector<Variant> all_variants(const EntityStructure& structure, const Selection& selection) {
  std::vector<Variant> all;
  for_each_variant(structure, selection, [&](const Variant& variant) {
    if (all.size() == kMostVariants)
      throw UserError(fmt::format(
          "there are more than {} variants: leave fewer with --select NAME=OPTION, or search them "
          "with --minimize",
          kMostVariants));
    all.push_back(variant);
    return true;
  });
  if (all.empty()) throw UserError("no variant is left by the rules and the selection", {"select"});
  return all;
}

// Columns as wide as what is in them; the first row is the heading.
void print_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows[0].size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
}

// Number, and what is decided, of each variant; "-" where there is nothing to decide.
std::vector<std::vector<std::string>> choice_rows(const EntityStructure& structure,
                                                  const std::vector<Variant>& all) {
  std::vector<std::vector<std::string>> rows{{"variant"}};
  for (const Decision& each : structure.decisions) rows[0].push_back(each.name);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<std::string> row{fmt::format("{}", i + 1)};
    row.resize(rows[0].size(), "-");
    for (const Choice& each : all[i].choices)
      row[each.decision + 1] = structure.decisions[each.decision].options[each.option];
    rows.push_back(std::move(row));
  }
  return rows;
}

int enumerate(const EntityStructure& structure, const std::vector<Variant>& all, bool json) {
  if (!json) {
    print_table(choice_rows(structure, all));
    return 0;
  }
  Json list = Json::array();
  for (std::size_t i = 0; i < all.size(); ++i)
    list.push_back({{"number", i + 1}, {"choices", choices_json(structure, all[i])}});
  fmt::print("{}\n", Json{{"decisions", decisions_json(structure)}, {"variants", list}}.dump(2));
  return 0;
}

std::map<std::string, double> given_values(const VariantsCommand& command) {
  std::map<std::string, double> given;
  for (const std::string& text : command.subject.assignments) given.insert(parse_assignment(text));
  return given;
}

int emit(const EntityStructure& structure, const std::vector<Variant>& all,
         const VariantsCommand& command) {
  if (all.size() > 1)
    throw UserError(fmt::format(
        "--emit shows one variant, and {} are left: choose with --select NAME=OPTION", all.size()));
  const auto numbers = numbers_of(structure, all[0], given_values(command));
  if (structure.base.model.text.empty()) {
    fmt::print("{}", modelica_text(structure, all[0], numbers).text);
    return 0;
  }
  fmt::print("{}\n", structure.base.model.text);
  for (const ModelBase::Parameter& each : structure.base.parameters) {
    std::vector<double> leaves;
    for (const std::string& leaf : each.formula.leaves())
      leaves.push_back(numbers.contains(leaf) ? numbers.at(leaf) : 0);
    fmt::print("  {} = {}\n", each.name.text, each.formula.value(leaves));
  }
  return 0;
}

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
        observables[wish.titles[i]] = number(row.observables[i]);
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
  auto table = choice_rows(structure, all);
  table.resize(rows.size() + 1);
  for (const std::string& each : wish.titles) table[0].push_back(each);
  table[0].emplace_back("status");
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (const double value : rows[k].observables)
      table[k + 1].push_back(std::isnan(value) ? "-" : fmt::format("{:.6g}", value));
    table[k + 1].emplace_back(arges::to_string(rows[k].status));
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
          if (row.status == RunReason::kCancelled) return false;
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

// The best point of one structure.
struct Record {
  std::vector<double> x;
  double value;
  std::int64_t points;
};

Json point_json(const EntityStructure& structure, VariantSearch& search,
                const std::vector<double>& x) {
  Json json = choices_json(structure, search.variant_at(x));
  for (const auto& [name, value] : search.ranges_at(x)) json[name] = number(value);
  return json;
}

void print_search(const EntityStructure& structure, VariantSearch& search,
                  const SearchResult& result, const std::vector<Record>& records, bool json) {
  if (json) {
    Json list = Json::array();
    for (const Record& each : records) {
      list.push_back({{"choices", choices_json(structure, search.variant_at(each.x))},
                      {"x", point_json(structure, search, each.x)},
                      {"value", number(each.value)},
                      {"points", each.points}});
    }
    Json x = result.x.empty() ? Json::object() : point_json(structure, search, result.x);
    fmt::print("{}\n", Json{{"status", to_string(result.status)},
                            {"x", x},
                            {"value", number(result.value)},
                            {"evaluations", result.evaluations},
                            {"residual", number(result.residual)},
                            {"message", result.message},
                            {"runs", search.runs()},
                            {"variants", list}}
                           .dump(2));
    return;
  }
  fmt::print("{} after {} points, {} runs of {} variants\n", to_string(result.status),
             result.evaluations, search.runs(), records.size());
  if (result.x.empty()) return;
  const Variant best = search.variant_at(result.x);
  for (const Choice& each : best.choices) {
    const Decision& decision = structure.decisions[each.decision];
    fmt::print("  {:<16} {}\n", decision.name, decision.options[each.option]);
  }
  for (const auto& [name, value] : search.ranges_at(result.x))
    fmt::print("  {:<16} {:.15g}\n", name, value);
  fmt::print("  {:<16} {:.15g}\n", "value", result.value);
}

int search_variants(const EntityStructure& structure, const Selection& selection,
                    VariantSetup setup, const VariantsCommand& command) {
  if (command.minimize.has_value() && command.maximize.has_value())
    throw UserError("give one of --minimize and --maximize");
  const std::string& text = command.minimize ? *command.minimize : *command.maximize;
  const double sign = command.minimize ? 1 : -1;
  std::vector<SearchVariable> ranges = parse_variables(command.vary);
  for (const SearchVariable& each : structure.ranges) {
    if (std::ranges::find(ranges, each.name, &SearchVariable::name) == ranges.end())
      ranges.push_back(each);
  }
  std::vector<std::string> names = structure.numbers;
  for (const SearchVariable& each : ranges) {
    if (std::ranges::find(names, each.name) == names.end()) names.push_back(each.name);
  }
  RunFormulas formulas(names);
  formulas.add(Formula::parse(text, Formula::Leaves::kRun));
  OptimiseRequest request;
  std::vector<Condition> conditions;
  for (const std::string& each : command.constraints) {
    conditions.push_back(parse_condition(each, Formula::Leaves::kRun));
    formulas.add(conditions.back().left);
    formulas.add(conditions.back().right);
    ++(conditions.back().kind == Condition::Kind::kEqual ? request.equalities
                                                         : request.inequalities);
  }
  setup.observables = formulas.observables();
  VariantSearch search(structure, selection, std::move(setup), ranges);
  request.variables = search.variables();
  request.method = command.method;
  request.seed = command.seed;
  request.structure = [&](std::span<const double> x) { return search.structure_at(x); };
  request.limits.max_evaluations = command.max_evaluations;
  request.limits.cancel = &interrupted();
  SearchPool runs(search.functions(), command.threads);
  search.run_on(runs.pool());
  search.help(request.limits);
  std::vector<double> values;
  std::map<std::string, std::string> failures;  // of variants, the first of each
  std::map<std::string, std::size_t> record_of;
  std::vector<Record> records;
  const auto note = [&](std::span<const double> x, double value) {
    values.push_back(value);
    const auto [known, is_new] =
        record_of.try_emplace(describe(structure, search.variant_at(x)), records.size());
    if (is_new) records.push_back({{x.begin(), x.end()}, value, 0});
    Record& record = records[known->second];
    ++record.points;
    if (!(sign * record.value <= sign * value) && !std::isnan(value)) {
      record.x.assign(x.begin(), x.end());
      record.value = value;
    }
  };
  SearchResult result;
  {
    ProgressBar bar(command.subject.model);
    request.limits.progress = [&](double part) { bar.update(part); };
    result = optimise(
        [&](std::span<const double> x) {
          const VariantSearch::Trial& trial = search(x);
          const auto value = [&](std::size_t formula) {
            return formulas.value(formula, trial.numbers, trial.observables);
          };
          Appraisal appraisal;
          appraisal.value = std::nan("");
          if (!trial.allowed) return appraisal;
          const double objective = trial.ended ? value(0) : std::nan("");
          note(x, objective);
          if (!trial.message.empty())
            failures.try_emplace(describe(structure, search.variant_at(x)), trial.message);
          appraisal.value = sign * objective;
          for (std::size_t i = 0; i < conditions.size(); ++i) {
            appraisal.constrain(value(1 + 2 * i), value(2 + 2 * i),
                                conditions[i].kind == Condition::Kind::kEqual);
          }
          return appraisal;
        },
        request);
  }
  result.value *= sign;
  std::ranges::stable_sort(records, {}, [&](const Record& each) {
    return std::isnan(each.value) ? std::numeric_limits<double>::infinity() : sign * each.value;
  });
  if (command.plot && !values.empty()) {
    for (double& each : values) each *= sign;
    draw_search(*command.plot, structure.root.text, command.minimize ? text : "-(" + text + ")",
                values);
  }
  print_search(structure, search, result, records, command.json);
  for (const auto& [variant, message] : failures)
    print_note(fmt::format("a run of {} failed: {}", variant, message));
  return search_exit_code(result);
}

}  // namespace

int variants(const ModelRegistry& models, const VariantsCommand& command) try {
  if (command.plot) plot::check_picture_path(*command.plot);
  const bool searches = command.minimize || command.maximize;
  const bool observes = !command.observe.empty();
  if (command.enumerate + command.emit + searches + observes > 1)
    throw UserError("give one of --enumerate, --emit, --observe and --minimize or --maximize");
  if (!searches && (!command.vary.empty() || !command.constraints.empty()))
    throw UserError("--vary and --subject-to belong to --minimize or --maximize");
  if (command.plot && !searches && !observes)
    throw UserError("--plot draws what --observe, --minimize or --maximize find");
  if (command.out && !observes) throw UserError("--out is for what --observe notes");
  if (command.out && !command.out->ends_with(".csv") && !command.out->ends_with(".h5"))
    throw UserError(
        fmt::format("--out {}: the rows of a study go to a file .csv or .h5", *command.out));
  if (command.resume && !command.out)
    throw UserError("--resume goes on with the file of --out: give it, too");
  // Listing is nothing for several ranks.
  if (!searches && !observes && rank_by_environment().rank > 0) return 0;
  const EntityStructure structure = read_structure(command.subject.model);
  const Selection selection = parse_selection(structure, command.select);
  VariantSetup setup{models,
                     request_of(searches ? accurate(models, command.subject) : command.subject)};
  setup.request.values = parse_assignments(command.subject.assignments);
  if (searches && models.find_discrete(structure.base.model.text) != nullptr)
    setup.request.rtol = command.subject.rtol;
  if (searches) return search_variants(structure, selection, std::move(setup), command);
  const std::vector<Variant> all = all_variants(structure, selection);
  if (command.emit) return emit(structure, all, command);
  if (!observes) return enumerate(structure, all, command.json);
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
} catch (const WorkDone&) {
  return 0;
}

}  // namespace arges::app
