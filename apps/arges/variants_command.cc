// variants: what a system entity structure describes, listed, run, searched.

#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "any_model.h"
#include "arges/base/error.h"
#include "arges/experiment/ranks.h"
#include "arges/plot/render.h"
#include "arges/variants/modelica_text.h"
#include "arges/variants/read_structure.h"
#include "commands.h"
#include "search_output.h"
#include "subject.h"
#include "variants_modes.h"
#include "variants_output.h"

namespace arges::app {

namespace {

using namespace arges::variants;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostVariants = 10000;

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
  return observe_variants(structure, selection, all, std::move(setup), command);
} catch (const WorkDone&) {
  return 0;
}

}  // namespace arges::app
