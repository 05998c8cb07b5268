#include <algorithm>
#include <deque>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/variants/check_internal.h"
#include "arges/variants/prune.h"

namespace arges::variants {

namespace {

// A tree can have exponentially many places for few entities.
constexpr std::size_t kMostPlaces = 100000;

class Finder {
 public:
  explicit Finder(EntityStructure& structure) : structure_(structure) {}

  void find() {
    waiting_.push_back({"", structure_.root.text});
    for (std::size_t places = 0; !waiting_.empty(); ++places) {
      if (places == kMostPlaces)
        throw UserError(structure_.file.at(
            structure_.root, fmt::format("the tree has more than {} places", kMostPlaces)));
      const Place place = waiting_.front();
      waiting_.pop_front();
      visit(place);
    }
    for (const Decision& each : structure_.decisions) note(each.name);
  }

 private:
  struct Place {
    std::string path, entity;
  };

  // An entity and all that it may become; the decompositions are chosen among together.
  void visit(const Place& place) {
    std::vector<const Decomposition*> decompositions;
    std::size_t most = 0;
    specialise(place.path, structure_.entity(place.entity), decompositions, most);
    if (most > 1) {
      Decision decision{place.path.empty() ? structure_.root.text : place.path,
                        Decision::Kind::kDecomposition};
      for (const Decomposition* each : decompositions) {
        if (std::ranges::find(decision.options, each->label.text) == decision.options.end())
          decision.options.push_back(each->label.text);
      }
      add(std::move(decision));
    }
    for (const Decomposition* each : decompositions) {
      if (each->multiple) {
        Decision decision{path_of(place.path, each->label.text), Decision::Kind::kNumber};
        for (const int count : each->counts) decision.options.push_back(fmt::format("{}", count));
        note(decision.name);
        add(std::move(decision));
      }
      for (const PlacedText& part : each->parts) {
        if (!each->multiple || each->alike) {
          waiting_.push_back({path_of(place.path, part.text), part.text});
          continue;
        }
        for (int i = 1; i <= each->counts.back(); ++i)
          waiting_.push_back({path_of(place.path, replica_name(part.text, i)), part.text});
      }
    }
  }

  // `most`: how many decompositions one variant of the entity can choose among.
  void specialise(const std::string& path, const Entity& entity,
                  std::vector<const Decomposition*>& decompositions, std::size_t& most) {
    for (const Decomposition& each : entity.decompositions) decompositions.push_back(&each);
    most += entity.decompositions.size();
    for (const Attribute& each : entity.attributes) {
      const std::string name = path_of(path, each.name.text);
      note(name);
      if (!each.range) continue;
      // Another choice may have the same attribute with another range.
      SearchVariable range = *each.range;
      range.name = name;
      const auto is_known = [&](const SearchVariable& known) {
        return known.name == name && is_same_range(known, range);
      };
      if (std::ranges::none_of(structure_.ranges, is_known))
        structure_.ranges.push_back(std::move(range));
    }
    for (const Specialisation& each : entity.specialisations) {
      Decision decision{path_of(path, each.label.text), Decision::Kind::kSpecialisation};
      for (const PlacedText& choice : each.choices) decision.options.push_back(choice.text);
      decision.when = each.when;
      add(std::move(decision));
      std::size_t most_of_choices = 0;
      for (const PlacedText& choice : each.choices) {
        std::size_t of_choice = 0;
        specialise(path, structure_.entity(choice.text), decompositions, of_choice);
        most_of_choices = std::max(most_of_choices, of_choice);
      }
      most += most_of_choices;
    }
  }

  void add(Decision decision) {
    const auto& known = structure_.decisions;
    if (decision.options.size() < 2 ||
        std::ranges::find(known, decision.name, &Decision::name) != known.end())
      return;
    structure_.decisions.push_back(std::move(decision));
  }

  void note(const std::string& name) {
    if (std::ranges::find(structure_.numbers, name) == structure_.numbers.end())
      structure_.numbers.push_back(name);
  }

  EntityStructure& structure_;
  std::deque<Place> waiting_;
};

}  // namespace

void find_decisions(EntityStructure& structure) { Finder(structure).find(); }

}  // namespace arges::variants
