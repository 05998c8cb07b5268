#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/experiment/specification.h"
#include "arges/variants/check_internal.h"

namespace arges::variants {

namespace {

class Checker {
 public:
  explicit Checker(const EntityStructure& structure) : structure_(structure) {
    for (const Entity& each : structure.entities) names_.push_back(each.name.text);
  }

  void check() {
    must_exist(structure_.root);
    for (const Entity& each : structure_.entities) {
      check_names(each);
      for (const Decomposition& decomposition : each.decompositions)
        check_brothers(decomposition.parts, "parts");
      for (const Specialisation& specialisation : each.specialisations) {
        check_brothers(specialisation.choices, "choices");
        for (const auto& [choice, condition] : specialisation.when)
          check_is_choice(specialisation, choice);
      }
    }
    descend(structure_.root);
    for (const Entity& each : structure_.entities) {
      check_inherited(each);
      for (const Decomposition& decomposition : each.decompositions)
        check_couplings(each, decomposition);
      if (!reached_.contains(each.name.text))
        refuse(each.name, fmt::format("entity '{}' is not in the tree of '{}': it is no part and "
                                      "no choice of anything there",
                                      each.name.text, structure_.root.text));
    }
  }

 private:
  [[noreturn]] void refuse(const PlacedText& place, const std::string& what) const {
    throw UserError(structure_.file.at(place, what));
  }

  void must_exist(const PlacedText& name) const {
    if (std::ranges::find(names_, name.text) != names_.end()) return;
    refuse(name, fmt::format("there is no entity '{}'{}: each has a table, [entity.{}]", name.text,
                             did_you_mean(name.text, names_), name.text));
  }

  // Valid brothers, also among what stands at one entity: the paths of decisions and attributes
  // shall tell them apart.
  void check_names(const Entity& entity) const {
    std::set<std::string> seen;
    const auto see = [&](const PlacedText& name) {
      if (!seen.insert(name.text).second)
        refuse(name, fmt::format("'{}' stands twice at entity '{}' (valid brothers)", name.text,
                                 entity.name.text));
    };
    for (const Attribute& each : entity.attributes) see(each.name);
    for (const Decomposition& each : entity.decompositions) see(each.label);
    for (const Specialisation& each : entity.specialisations) see(each.label);
    for (const Decomposition& each : entity.decompositions) {
      for (const PlacedText& part : each.parts) {
        if (seen.contains(part.text))
          refuse(part, fmt::format("'{}' is also an attribute or a label of entity '{}' (valid "
                                   "brothers)",
                                   part.text, entity.name.text));
      }
    }
  }

  void check_brothers(const std::vector<PlacedText>& brothers, const char* what) const {
    std::set<std::string> seen;
    for (const PlacedText& each : brothers) {
      must_exist(each);
      if (!seen.insert(each.text).second)
        refuse(each, fmt::format("'{}' is among the {} twice (valid brothers): declare an entity "
                                 "for each, with the same model",
                                 each.text, what));
    }
  }

  // A coupling is between ports of parts. What else an entity with an interface may have is for the
  // model base to say.
  void check_couplings(const Entity& entity, const Decomposition& of) const {
    std::vector<std::string> parts;
    for (const PlacedText& part : of.parts) parts.push_back(part.text);
    for (const Coupling& coupling : of.couplings) {
      for (const std::string* end : {&coupling.from, &coupling.to}) {
        const std::string name = end->substr(0, end->find_first_of(".["));
        if (std::ranges::find(parts, name) != parts.end() || may_have_model(entity)) continue;
        refuse(coupling.text, fmt::format("'{}' is no part of '{}'{}", name, entity.name.text,
                                          did_you_mean(name, parts)));
      }
    }
  }

  // Its own, that of a choice of it, or of what it is a choice of.
  bool may_have_model(const Entity& entity) const {
    std::map<std::string, PlacedText> below;
    collect(entity, below);
    return below.contains("model") || inherits_model(entity);
  }

  bool inherits_model(const Entity& entity) const {
    if (!entity.model.text.empty()) return true;
    return std::ranges::any_of(structure_.entities, [&](const Entity& parent) {
      const auto has_it = [&](const Specialisation& each) {
        return std::ranges::find(each.choices, entity.name.text, &PlacedText::text) !=
               each.choices.end();
      };
      return std::ranges::any_of(parent.specialisations, has_it) && inherits_model(parent);
    });
  }

  void check_is_choice(const Specialisation& specialisation, const PlacedText& choice) const {
    std::vector<std::string> choices;
    for (const PlacedText& each : specialisation.choices) choices.push_back(each.text);
    if (std::ranges::find(choices, choice.text) == choices.end())
      refuse(choice, fmt::format("'{}' is no choice of '{}'{}", choice.text,
                                 specialisation.label.text, did_you_mean(choice.text, choices)));
  }

  // Strict hierarchy.
  void descend(const PlacedText& name) {
    if (std::ranges::find(path_, name.text) != path_.end())
      refuse(name, fmt::format("'{}' would be inside itself: {} -> {} (strict hierarchy)",
                               name.text, fmt::join(path_, " -> "), name.text));
    if (!reached_.insert(name.text).second) return;
    path_.push_back(name.text);
    const Entity& entity = structure_.entity(name.text);
    for (const Decomposition& each : entity.decompositions) {
      for (const PlacedText& part : each.parts) descend(part);
    }
    for (const Specialisation& each : entity.specialisations) {
      for (const PlacedText& choice : each.choices) descend(choice);
    }
    path_.pop_back();
  }

  // All that the choices below a specialisation may add.
  void collect(const Entity& entity, std::map<std::string, PlacedText>& added) const {
    for (const Attribute& each : entity.attributes) added.emplace(each.name.text, each.name);
    if (!entity.model.text.empty()) added.emplace("model", entity.model);
    for (const Specialisation& each : entity.specialisations) {
      added.emplace(each.label.text, each.label);
      for (const PlacedText& choice : each.choices) collect(structure_.entity(choice.text), added);
    }
  }

  // Attached variables: what is inherited is so in one way.
  void check_inherited(const Entity& entity) const {
    std::map<std::string, std::pair<PlacedText, std::string>> known;
    for (const Specialisation& each : entity.specialisations) {
      std::map<std::string, PlacedText> added;
      for (const PlacedText& choice : each.choices) collect(structure_.entity(choice.text), added);
      for (const auto& [name, place] : added) {
        const auto [other, is_new] = known.try_emplace(name, place, each.label.text);
        if (!is_new)
          refuse(place, fmt::format("'{}' of entity '{}' would come from two specialisations, '{}' "
                                    "and '{}' (attached variables)",
                                    name, entity.name.text, other->second.second, each.label.text));
      }
    }
  }

  const EntityStructure& structure_;
  std::vector<std::string> names_, path_;
  std::set<std::string> reached_;
};

}  // namespace

void check_axioms(const EntityStructure& structure) { Checker(structure).check(); }

void check_formulas(const EntityStructure& structure) {
  const auto check = [&](const Formula& formula, const PlacedText& text) {
    for (const std::string& leaf : formula.leaves()) {
      if (std::ranges::find(structure.numbers, leaf) != structure.numbers.end()) continue;
      const std::string what = fmt::format("no variant has an attribute or a decision '{}'{}", leaf,
                                           did_you_mean(leaf, structure.numbers));
      throw UserError(
          structure.file.explain(text, complaint(what, text.text, text.text.find(leaf))));
    }
  };
  for (const Entity& entity : structure.entities) {
    for (const Attribute& each : entity.attributes) {
      if (each.formula) check(*each.formula, each.formula_text);
    }
  }
  for (const ModelBase::Parameter& each : structure.base.parameters) check(each.formula, each.text);
}

}  // namespace arges::variants
