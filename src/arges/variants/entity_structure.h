#pragma once
// System entity structures: all variants of a system in one tree.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arges/experiment/formula.h"
#include "arges/experiment/placed_text.h"
#include "arges/experiment/search.h"

namespace arges::variants {

// A property of an entity: a number, which a search may change when it has a range; a formula of
// decisions and other attributes; or something else, as Modelica text.
struct Attribute {
  PlacedText name;
  double number = 0;
  std::optional<SearchVariable> range{};
  std::optional<Formula> formula{};
  PlacedText formula_text{};
  std::string literal{};  // "true", "\"text\""; then there is no number
};

// The same values on the same scale; whatever the first guess.
bool is_same_range(const SearchVariable& a, const SearchVariable& b);

// From one port to another, "Source.out -> Queue.in"; in a multi-aspect with the numbers of parts,
// "Cell[i].out -> Cell[i+1].in" (for all i for which both exist), "Cell[n].out -> out".
struct Coupling {
  PlacedText text;
  std::string from, to;
};

// What an entity consists of: an aspect has different parts, a multi-aspect one part several times.
struct Decomposition {
  PlacedText label;
  bool multiple = false;
  std::vector<PlacedText> parts{};
  std::vector<int> counts{};  // how many there may be, ascending; of multi-aspects
  bool alike = true;          // all replicas are pruned in the same way
  std::vector<Coupling> couplings{};
};

// What an entity may be: exactly one of the choices, which has all that the entity has.
struct Specialisation {
  PlacedText label;
  std::vector<PlacedText> choices{};
  std::vector<std::pair<PlacedText, PlacedText>> when{};  // choice, on condition that
};

struct Entity {
  PlacedText name;
  PlacedText model{};  // in the model base; of an entity with parts: its interface
  std::vector<Attribute> attributes{};
  std::vector<Decomposition> decompositions{};  // of several, one is chosen
  std::vector<Specialisation> specialisations{};
};

// A place in the tree where variants part. Its name is the path of the entity below the root and
// the label of the node; of a choice among decompositions the path alone (of the root: its name).
struct Decision {
  enum class Kind { kDecomposition, kSpecialisation, kNumber };
  std::string name;
  Kind kind;
  std::vector<std::string> options{};                     // labels, entities, or numbers
  std::vector<std::pair<PlacedText, PlacedText>> when{};  // as in Specialisation

  // What stands for an option in formulas: the number itself, else 1, 2, ...
  double value(std::size_t option) const;
};

// "name = a|b", "name >= 3"; what a variant does not decide satisfies every consequence, and no
// premise.
struct RuleTest {
  enum class Order { kEqual, kUnequal, kLess, kAtMost, kGreater, kAtLeast };
  std::size_t decision = 0;
  Order order = Order::kEqual;
  std::vector<std::string> options{};  // of = and !=
  double number = 0;                   // of the others
};
// If all of the first hold, all of the second have to.
struct Rule {
  PlacedText text;
  std::vector<RuleTest> premises{}, consequences{};
};

// Where models come from: classes in Modelica files, of which models are put together; or one model
// for all variants, which knows them by its parameters.
struct ModelBase {
  struct Parameter {
    PlacedText name;
    PlacedText text;
    Formula formula;
  };
  std::vector<PlacedText> files{};
  PlacedText model{};
  std::vector<Parameter> parameters{};
};

// As read and checked by read_structure.h; never changed afterwards. Formulas and rules name
// decisions in full.
struct EntityStructure {
  PlacedFile file;
  PlacedText root;
  std::optional<double> stop_time{};
  ModelBase base{};
  std::vector<Entity> entities{};     // in the order of the file
  std::vector<Decision> decisions{};  // with more than one option; breadth first from the root
  std::vector<Rule> rules{};
  std::vector<std::string> numbers{};  // what formulas can name: decisions, counts, attributes
  // Attributes with a range, by their paths: several of one path when choices differ in it.
  std::vector<SearchVariable> ranges{};

  const Entity& entity(const std::string& name) const;  // throws ApiError when there is none
  // The decision of that name, or the only one whose name ends with ".NAME". Throws UserError with
  // the near names.
  std::size_t find_decision(const std::string& name) const;
};

}  // namespace arges::variants
