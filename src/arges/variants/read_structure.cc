// toml++ is slow to compile: it stays in this file.

#include "arges/variants/read_structure.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <functional>

#include <fmt/format.h>
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/base/parse_number.h"
#include "arges/experiment/specification.h"
#include "arges/variants/check_internal.h"

namespace arges::variants {

namespace {

constexpr int kMostReplicas = 10000;

PlacedText placed(std::string text, const toml::source_region& where) {
  return {std::move(text), static_cast<int>(where.begin.line),
          static_cast<int>(where.begin.column)};
}

bool is_identifier(const std::string& text) {
  const auto letter = [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
  };
  return !text.empty() && letter(text[0]) && std::ranges::all_of(text, [&](char c) {
    return letter(c) || std::isdigit(static_cast<unsigned char>(c));
  });
}

class Reader {
 public:
  Reader(const std::string& path, const std::string& text) {
    made_.file = PlacedFile::of_text(path, text);
    try {
      table_ = toml::parse(text, path);
    } catch (const toml::parse_error& error) {
      refuse(placed("", error.source()), std::string(error.description()));
    }
  }

  EntityStructure read() {
    std::vector<PlacedText> rules;
    for_each(table_, "a structure", {"root", "stop", "base", "rules", "entity"},
             [&](const PlacedText& key, const toml::node& value) {
               if (key.text == "root") made_.root = text_of(key, value);
               if (key.text == "stop") made_.stop_time = number_of(key, value);
               if (key.text == "rules") rules = texts_of(key, value);
               if (key.text == "base") read_base(table_of(key, value));
               if (key.text != "entity") return;
               for_each(table_of(key, value), "", {},
                        [&](const PlacedText& name, const toml::node& entity) {
                          made_.entities.push_back(read_entity(name, table_of(name, entity)));
                        });
             });
    if (made_.root.text.empty()) refuse({"", 1, 1}, "the root is missing, as in root = \"Plant\"");
    check_axioms(made_);
    find_decisions(made_);
    check_formulas(made_);
    for (const PlacedText& text : rules) made_.rules.push_back(parse_rule(made_, text));
    add_conditions_of_choices();
    return std::move(made_);
  }

 private:
  using Visitor = std::function<void(const PlacedText& key, const toml::node& value)>;

  [[noreturn]] void refuse(const PlacedText& place, const std::string& what) const {
    throw UserError(made_.file.at(place, what));
  }

  // In the order of the file: toml++ has the keys in that of the alphabet. `known` empty: they are
  // names that the user gives.
  void for_each(const toml::table& table, const std::string& where,
                const std::vector<std::string>& known, const Visitor& visit) const {
    std::vector<std::pair<PlacedText, const toml::node*>> entries;
    for (auto&& [key, value] : table) {
      PlacedText name = placed(std::string(key.str()), key.source());
      if (known.empty() && !is_identifier(name.text)) {
        refuse(name, fmt::format("'{}' is no name: letters, digits and _ make one, a letter first",
                                 name.text));
      }
      if (!known.empty() && std::ranges::find(known, name.text) == known.end())
        refuse(name,
               fmt::format("{} has no '{}'{}", where, name.text, did_you_mean(name.text, known)));
      entries.emplace_back(std::move(name), &value);
    }
    std::ranges::sort(entries, {}, [](const auto& each) {
      return std::pair(each.first.line, each.first.column);
    });
    for (const auto& [name, value] : entries) visit(name, *value);
  }

  const toml::table& table_of(const PlacedText& key, const toml::node& value) const {
    const auto* table = value.as_table();
    if (table == nullptr)
      refuse(placed("", value.source()), fmt::format("'{}' is a table", key.text));
    return *table;
  }
  PlacedText text_of(const PlacedText& key, const toml::node& value) const {
    const auto* text = value.as_string();
    if (text == nullptr || text->get().empty())
      refuse(placed("", value.source()), fmt::format("'{}' takes a text", key.text));
    return placed(text->get(), value.source());
  }
  std::optional<double> as_number(const toml::node& value) const {
    if (const auto* whole = value.as_integer()) return static_cast<double>(whole->get());
    if (const auto* number = value.as_floating_point();
        number != nullptr && std::isfinite(number->get()))
      return number->get();
    return std::nullopt;
  }
  double number_of(const PlacedText& key, const toml::node& value) const {
    const auto number = as_number(value);
    if (!number)
      refuse(placed("", value.source()), fmt::format("'{}' takes a finite number", key.text));
    return *number;
  }
  // A text, or a list of texts.
  std::vector<PlacedText> texts_of(const PlacedText& key, const toml::node& value) const {
    std::vector<PlacedText> texts;
    if (const auto* list = value.as_array()) {
      for (const toml::node& each : *list) texts.push_back(text_of(key, each));
      if (list->empty()) refuse(placed("", value.source()), "the list is empty");
    } else {
      texts.push_back(text_of(key, value));
    }
    return texts;
  }

  // What somebody else says about a text of the file, with the place in the file.
  template <class Action>
  auto parsed(const PlacedText& text, const Action& parse) const {
    try {
      return parse(text.text);
    } catch (const UserError& error) {
      throw UserError(made_.file.explain(text, error.what()));
    }
  }

  void read_base(const toml::table& table) {
    for_each(table, "the model base", {"files", "model", "parameters"},
             [&](const PlacedText& key, const toml::node& value) {
               if (key.text == "files") made_.base.files = texts_of(key, value);
               if (key.text == "model") made_.base.model = text_of(key, value);
               if (key.text == "parameters") read_parameters(table_of(key, value));
             });
    ModelBase& base = made_.base;
    if (!base.model.text.empty() && !base.files.empty())
      refuse(base.model, "a model base has files or one model, not both");
    if (base.model.text.empty() && !base.parameters.empty())
      refuse(base.parameters[0].name, "parameters belong to a model = \"NAME\" for all variants");
    const auto folder = std::filesystem::path(made_.file.path).parent_path();
    const auto beside_the_file = [&](PlacedText& name) {
      if (!name.text.empty() && std::filesystem::exists(folder / name.text))
        name.text = (folder / name.text).string();
    };
    beside_the_file(base.model);
    for (PlacedText& file : base.files) {
      beside_the_file(file);
      if (!std::filesystem::exists(file.text))
        refuse(file, fmt::format("there is no file '{}'", file.text));
    }
  }

  void read_parameters(const toml::table& table) {
    for (auto&& [key, value] : table) {
      const PlacedText name = placed(std::string(key.str()), key.source());
      PlacedText text = placed("", value.source());
      if (const auto number = as_number(value)) {
        text.text = fmt::format("{}", *number);
      } else {
        text = text_of(name, value);
      }
      made_.base.parameters.push_back({name, text, parsed(text, [](const std::string& formula) {
                                         return Formula::parse(formula, Formula::Leaves::kRow);
                                       })});
    }
  }

  Entity read_entity(const PlacedText& name, const toml::table& table) {
    Entity entity{name};
    for_each(table, fmt::format("entity '{}'", name.text),
             {"model", "attributes", "aspect", "multi", "specialisation"},
             [&](const PlacedText& key, const toml::node& value) {
               if (key.text == "model") {
                 entity.model = text_of(key, value);
                 return;
               }
               for_each(
                   table_of(key, value), "", {},
                   [&](const PlacedText& label, const toml::node& node) {
                     if (key.text == "attributes")
                       entity.attributes.push_back(read_attribute(label, node));
                     if (key.text == "aspect")
                       entity.decompositions.push_back(read_aspect(label, table_of(label, node)));
                     if (key.text == "multi")
                       entity.decompositions.push_back(read_multi(label, table_of(label, node)));
                     if (key.text == "specialisation")
                       entity.specialisations.push_back(
                           read_specialisation(label, table_of(label, node)));
                   });
             });
    std::ranges::sort(entity.decompositions, {}, [](const Decomposition& each) {
      return std::pair(each.label.line, each.label.column);
    });
    return entity;
  }

  Attribute read_attribute(const PlacedText& name, const toml::node& value) {
    Attribute attribute{name};
    if (const auto number = as_number(value)) {
      attribute.number = *number;
    } else if (const auto* truth = value.as_boolean()) {
      attribute.literal = truth->get() ? "true" : "false";
    } else if (value.is_string()) {
      attribute.literal = fmt::format("\"{}\"", text_of(name, value).text);
      if (attribute.literal.find_first_of("\"\\\n", 1) != attribute.literal.size() - 1)
        refuse(placed("", value.source()), "quotes, backslashes and line ends cannot be in it");
    } else if (const auto* table = value.as_table()) {
      read_attribute_table(*table, attribute);
    } else {
      refuse(placed("", value.source()),
             fmt::format("'{}' is a number, a text, true, false, or a table with range or formula",
                         name.text));
    }
    return attribute;
  }

  void read_attribute_table(const toml::table& table, Attribute& attribute) {
    std::optional<double> given;
    for_each(table, fmt::format("attribute '{}'", attribute.name.text),
             {"value", "range", "formula"}, [&](const PlacedText& key, const toml::node& value) {
               if (key.text == "value") given = number_of(key, value);
               if (key.text == "range") {
                 const PlacedText text = text_of(key, value);
                 attribute.range = parsed(text, [&](const std::string& range) {
                   return parse_range_of(attribute.name.text, range);
                 });
               }
               if (key.text != "formula") return;
               attribute.formula_text = text_of(key, value);
               attribute.formula = parsed(attribute.formula_text, [](const std::string& formula) {
                 return Formula::parse(formula, Formula::Leaves::kRow);
               });
             });
    if (attribute.formula.has_value() == (given || attribute.range))
      refuse(attribute.name, "an attribute has a formula, or a value and perhaps a range");
    if (attribute.range) {
      if (given) attribute.range->start = *given;
      attribute.number = attribute.range->first_guess();
      if (given && attribute.number != *given)
        refuse(attribute.name, "the value lies outside the range");
    } else if (given) {
      attribute.number = *given;
    }
  }

  // The places of its messages are those in the range.
  static SearchVariable parse_range_of(const std::string& name, const std::string& range) {
    const std::string whole = name + "=" + range;
    try {
      return parse_search_variable(whole);
    } catch (const UserError& error) {
      const std::string message = error.what();
      const std::size_t mark = message.rfind('^') - message.rfind('\n') - 3;
      throw UserError(complaint(message.substr(0, message.find('\n')), range,
                                mark > name.size() ? mark - name.size() - 1 : 0));
    }
  }

  std::vector<Coupling> read_couplings(const PlacedText& key, const toml::node& value) const {
    std::vector<Coupling> couplings;
    const auto trimmed = [](std::string text) {
      std::erase(text, ' ');
      return text;
    };
    for (PlacedText& text : texts_of(key, value)) {
      std::size_t arrow = text.text.find("->");
      if (arrow == std::string::npos) arrow = text.text.find("--");
      Coupling coupling{text, {}, {}};
      if (arrow != std::string::npos) {
        coupling.from = trimmed(text.text.substr(0, arrow));
        coupling.to = trimmed(text.text.substr(arrow + 2));
      }
      if (coupling.from.empty() || coupling.to.empty())
        refuse(text, "a coupling is FROM -> TO, or A -- B where there is no direction");
      couplings.push_back(std::move(coupling));
    }
    return couplings;
  }

  Decomposition read_aspect(const PlacedText& label, const toml::table& table) {
    Decomposition aspect{label};
    for_each(table, fmt::format("aspect '{}'", label.text), {"parts", "couplings"},
             [&](const PlacedText& key, const toml::node& value) {
               if (key.text == "parts") aspect.parts = texts_of(key, value);
               if (key.text == "couplings") aspect.couplings = read_couplings(key, value);
             });
    if (aspect.parts.empty()) refuse(label, "an aspect has parts = [\"A\", \"B\"]");
    return aspect;
  }

  Decomposition read_multi(const PlacedText& label, const toml::table& table) {
    Decomposition multi{label, true};
    for_each(table, fmt::format("multi-aspect '{}'", label.text),
             {"part", "count", "alike", "couplings"},
             [&](const PlacedText& key, const toml::node& value) {
               if (key.text == "part") multi.parts = {text_of(key, value)};
               if (key.text == "count") multi.counts = read_counts(key, value);
               if (key.text == "couplings") multi.couplings = read_couplings(key, value);
               if (key.text != "alike") return;
               if (!value.is_boolean())
                 refuse(placed("", value.source()), "'alike' is true or false");
               multi.alike = value.as_boolean()->get();
             });
    if (multi.parts.empty() || multi.counts.empty())
      refuse(label, "a multi-aspect has part = \"A\" and count = \"1:4\", 3 or [2, 4]");
    return multi;
  }

  std::vector<int> read_counts(const PlacedText& key, const toml::node& value) const {
    const PlacedText place = placed("", value.source());
    std::vector<int> counts;
    const auto add = [&](std::optional<double> number) {
      if (!number || !(*number >= 1) || *number > kMostReplicas || *number != std::floor(*number))
        refuse(place, fmt::format("'{}' is a whole number from 1 to {}, a list of them, or a range "
                                  "\"1:4\"",
                                  key.text, kMostReplicas));
      counts.push_back(static_cast<int>(*number));
    };
    if (const auto* list = value.as_array()) {
      for (const toml::node& each : *list) add(as_number(each));
      std::ranges::sort(counts);
      if (std::ranges::adjacent_find(counts) != counts.end())
        refuse(place, "the same number stands there twice");
    } else if (const auto* text = value.as_string()) {
      const std::size_t colon = text->get().find(':');
      if (colon == std::string::npos) add(std::nullopt);
      add(parse_number(text->get().substr(0, colon)));
      add(parse_number(text->get().substr(colon + 1)));
      const int low = counts[0], high = counts[1];
      if (low > high) refuse(place, "the range is empty: its lower end is above the upper one");
      counts.clear();
      for (int i = low; i <= high; ++i) counts.push_back(i);
    } else {
      add(as_number(value));
    }
    return counts;
  }

  Specialisation read_specialisation(const PlacedText& label, const toml::table& table) {
    Specialisation made{label};
    for_each(table, fmt::format("specialisation '{}'", label.text), {"choices", "when"},
             [&](const PlacedText& key, const toml::node& value) {
               if (key.text == "choices") made.choices = texts_of(key, value);
               if (key.text != "when") return;
               for_each(table_of(key, value), "", {},
                        [&](const PlacedText& choice, const toml::node& condition) {
                          made.when.emplace_back(choice, text_of(choice, condition));
                        });
             });
    if (made.choices.empty()) refuse(label, "a specialisation has choices = [\"A\", \"B\"]");
    return made;
  }

  // "when" of a choice: wherever its specialisation stands.
  void add_conditions_of_choices() {
    for (std::size_t i = 0; i < made_.decisions.size(); ++i) {
      for (const auto& [choice, condition] : made_.decisions[i].when) {
        RuleTest chosen{i, RuleTest::Order::kEqual, {choice.text}};
        made_.rules.push_back({condition, {chosen}, parse_tests(made_, condition)});
      }
    }
  }

  toml::table table_;
  EntityStructure made_;
};

}  // namespace

EntityStructure parse_structure(const std::string& path, const std::string& text) {
  return Reader(path, text).read();
}

EntityStructure read_structure(const std::string& path) {
  return parse_structure(path, read_whole_file(path, "the structure"));
}

}  // namespace arges::variants
