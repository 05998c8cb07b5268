#include "arges/variants/prune.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/experiment/specification.h"

namespace arges::variants {

namespace {

// Rules may exclude nearly all of very many.
constexpr std::int64_t kMostCombinations = 100'000;

class Pruner {
 public:
  Pruner(const EntityStructure& structure, const Chooser& choose)
      : structure_(structure), choose_(choose) {}

  Variant prune() {
    variant_.root = entity(structure_.root.text, structure_.root.text, "");
    return std::move(variant_);
  }

 private:
  PrunedEntity entity(const std::string& name, const std::string& kind, const std::string& path) {
    PrunedEntity made{name, path, {}};
    std::vector<const Decomposition*> decompositions;
    specialise(made, structure_.entity(kind), decompositions);
    if (!decompositions.empty()) decompose(made, decompositions);
    if (made.model.text.empty() && made.parts.empty()) {
      // Basic models have the names of their entities, unless they say otherwise.
      made.model = structure_.entity(made.kinds.back()).name;
    }
    return made;
  }

  void specialise(PrunedEntity& made, const Entity& entity,
                  std::vector<const Decomposition*>& decompositions) {
    made.kinds.push_back(entity.name.text);
    if (!entity.model.text.empty()) made.model = entity.model;
    for (const Attribute& each : entity.attributes) {
      const auto inherited = std::ranges::find(
          made.attributes, each.name.text, [](const Attribute* known) { return known->name.text; });
      if (inherited == made.attributes.end()) {
        made.attributes.push_back(&each);
      } else {
        *inherited = &each;
      }
    }
    for (const Decomposition& each : entity.decompositions) decompositions.push_back(&each);
    for (const Specialisation& each : entity.specialisations) {
      std::vector<std::string> options;
      for (const PlacedText& choice : each.choices) options.push_back(choice.text);
      const std::size_t chosen = decide(path_of(made.path, each.label.text), options);
      specialise(made, structure_.entity(options[chosen]), decompositions);
    }
  }

  void decompose(PrunedEntity& made, const std::vector<const Decomposition*>& decompositions) {
    std::vector<std::string> labels;
    for (const Decomposition* each : decompositions) labels.push_back(each->label.text);
    const std::size_t chosen = decide(made.path.empty() ? structure_.root.text : made.path, labels);
    const Decomposition& decomposition = *decompositions[chosen];
    made.decomposition = &decomposition;
    if (!decomposition.multiple) {
      for (const PlacedText& part : decomposition.parts)
        made.parts.push_back(entity(part.text, part.text, path_of(made.path, part.text)));
      return;
    }
    std::vector<std::string> counts;
    for (const int count : decomposition.counts) counts.push_back(fmt::format("{}", count));
    made.count = decomposition.counts[decide(path_of(made.path, decomposition.label.text), counts)];
    const std::string& part = decomposition.parts[0].text;
    if (decomposition.alike) {
      made.parts.push_back(entity(part, part, path_of(made.path, part)));
      return;
    }
    for (int i = 1; i <= made.count; ++i) {
      const std::string name = replica_name(part, i);
      made.parts.push_back(entity(name, part, path_of(made.path, name)));
    }
  }

  // Among what there is here; the decision may know more options.
  std::size_t decide(const std::string& name, const std::vector<std::string>& here) {
    if (here.size() == 1) return 0;
    const auto decision =
        static_cast<std::size_t>(std::ranges::find(structure_.decisions, name, &Decision::name) -
                                 structure_.decisions.begin());
    const std::vector<std::string>& all = structure_.decisions[decision].options;
    std::vector<std::size_t> available;
    for (const std::string& each : here)
      available.push_back(static_cast<std::size_t>(std::ranges::find(all, each) - all.begin()));
    const std::size_t option = choose_(decision, available);
    variant_.choices.push_back({decision, option});
    return static_cast<std::size_t>(std::ranges::find(available, option) - available.begin());
  }

  const EntityStructure& structure_;
  const Chooser& choose_;
  Variant variant_;
};

bool holds(const EntityStructure& structure, const Variant& variant, const RuleTest& test,
           bool if_absent) {
  using Order = RuleTest::Order;
  const auto choice = std::ranges::find(variant.choices, test.decision, &Choice::decision);
  if (choice == variant.choices.end()) return if_absent;
  const Decision& decision = structure.decisions[test.decision];
  const double value = decision.value(choice->option);
  const bool listed =
      std::ranges::find(test.options, decision.options[choice->option]) != test.options.end();
  switch (test.order) {
    case Order::kEqual:
      return listed;
    case Order::kUnequal:
      return !listed;
    case Order::kLess:
      return value < test.number;
    case Order::kAtMost:
      return value <= test.number;
    case Order::kGreater:
      return value > test.number;
    default:
      return value >= test.number;
  }
}

// Attributes of an entity and of all below it.
void collect_attributes(const PrunedEntity& entity,
                        std::map<std::string, const Attribute*>& attributes) {
  for (const Attribute* each : entity.attributes)
    attributes.emplace(path_of(entity.path, each->name.text), each);
  for (const PrunedEntity& part : entity.parts) collect_attributes(part, attributes);
}

void collect_counts(const PrunedEntity& entity, std::map<std::string, double>& numbers) {
  if (entity.decomposition != nullptr && entity.decomposition->multiple)
    numbers[path_of(entity.path, entity.decomposition->label.text)] = entity.count;
  for (const PrunedEntity& part : entity.parts) collect_counts(part, numbers);
}

}  // namespace

std::string path_of(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

std::string replica_name(const std::string& part, int number) {
  return fmt::format("{}_{}", part, number);
}

Variant prune(const EntityStructure& structure, const Chooser& choose) {
  return Pruner(structure, choose).prune();
}

bool satisfies_rules(const EntityStructure& structure, const Variant& variant) {
  return std::ranges::all_of(structure.rules, [&](const Rule& rule) {
    const bool applies = std::ranges::all_of(rule.premises, [&](const RuleTest& test) {
      return holds(structure, variant, test, false);
    });
    return !applies || std::ranges::all_of(rule.consequences, [&](const RuleTest& test) {
      return holds(structure, variant, test, true);
    });
  });
}

bool is_selected(const Variant& variant, const Selection& selection) {
  return std::ranges::all_of(selection, [&](const auto& wanted) {
    const auto choice = std::ranges::find(variant.choices, wanted.first, &Choice::decision);
    return choice != variant.choices.end() && choice->option == wanted.second;
  });
}

Selection parse_selection(const EntityStructure& structure, const std::vector<std::string>& texts) {
  Selection selection;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const auto refuse = [&](const std::string& what, std::size_t place) {
      throw UserError(complaint(what, text, place));
    };
    if (equals == std::string::npos || equals == 0)
      throw UserError(fmt::format("--select {}: NAME=OPTION is needed", text));
    std::size_t decision = 0;
    try {
      decision = structure.find_decision(text.substr(0, equals));
    } catch (const UserError& error) {
      refuse(error.what(), 0);
    }
    const std::vector<std::string>& options = structure.decisions[decision].options;
    const std::string wanted = text.substr(equals + 1);
    const auto option = std::ranges::find(options, wanted);
    const std::string& name = structure.decisions[decision].name;
    if (option == options.end())
      refuse(
          fmt::format("'{}' is no option of '{}'{}", wanted, name, did_you_mean(wanted, options)),
          equals + 1);
    if (!selection.emplace(decision, option - options.begin()).second)
      refuse(fmt::format("'{}' is selected twice", name), 0);
  }
  return selection;
}

void for_each_variant(const EntityStructure& structure, const Selection& selection,
                      const std::function<bool(const Variant&)>& visit) {
  // A number with as many digits as there are decisions on the way: the last that can be raised is
  // raised, those behind it begin again.
  struct Digit {
    std::size_t value, size;
  };
  std::vector<Digit> digits;
  for (std::int64_t looked_at = 0;; ++looked_at) {
    if (looked_at == kMostCombinations) {
      throw UserError(fmt::format(
          "after {} combinations of choices there is no end: decide more with --select NAME=OPTION",
          looked_at));
    }
    std::size_t depth = 0;
    const Variant variant =
        prune(structure, [&](std::size_t decision, const std::vector<std::size_t>& available) {
          const auto fixed = selection.find(decision);
          if (fixed != selection.end() &&
              std::ranges::find(available, fixed->second) != available.end())
            return fixed->second;
          if (depth == digits.size()) digits.push_back({0, available.size()});
          return available[digits[depth++].value];
        });
    if (is_selected(variant, selection) && satisfies_rules(structure, variant) && !visit(variant))
      return;
    while (!digits.empty() && digits.back().value + 1 == digits.back().size) digits.pop_back();
    if (digits.empty()) return;
    ++digits.back().value;
  }
}

const Attribute* attribute_at(const Variant& variant, const std::string& path) {
  std::map<std::string, const Attribute*> attributes;
  collect_attributes(variant.root, attributes);
  const auto found = attributes.find(path);
  return found == attributes.end() ? nullptr : found->second;
}

std::map<std::string, double> numbers_of(const EntityStructure& structure, const Variant& variant,
                                         const std::map<std::string, double>& values) {
  std::map<std::string, double> numbers;
  for (const Choice& each : variant.choices) {
    const Decision& decision = structure.decisions[each.decision];
    numbers[decision.name] = decision.value(each.option);
  }
  collect_counts(variant.root, numbers);
  std::map<std::string, const Attribute*> attributes;
  collect_attributes(variant.root, attributes);
  std::set<std::string> waiting;
  const std::function<double(const std::string&)> find = [&](const std::string& name) -> double {
    if (const auto known = numbers.find(name); known != numbers.end()) return known->second;
    const auto found = attributes.find(name);
    if (found == attributes.end()) return 0;  // another variant has it
    const Attribute& attribute = *found->second;
    double number =
        attribute.literal.empty() ? attribute.number : (attribute.literal == "true" ? 1.0 : 0.0);
    if (attribute.formula) {
      if (!waiting.insert(name).second)
        throw UserError(structure.file.at(
            attribute.formula_text, fmt::format("the formula of '{}' needs its own value", name)));
      std::vector<double> leaves;
      for (const std::string& leaf : attribute.formula->leaves()) leaves.push_back(find(leaf));
      number = attribute.formula->value(leaves);
      waiting.erase(name);
    }
    if (const auto given = values.find(name); given != values.end()) number = given->second;
    return numbers[name] = number;
  };
  for (const auto& [name, attribute] : attributes) {
    if (attribute->literal.empty() || attribute->literal[0] != '"') find(name);
  }
  return numbers;
}

}  // namespace arges::variants
