#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/base/parse_number.h"
#include "arges/experiment/specification.h"
#include "arges/variants/check_internal.h"

namespace arges::variants {

namespace {

using Order = RuleTest::Order;

class RuleParser {
 public:
  RuleParser(const EntityStructure& structure, const std::string& text)
      : structure_(structure), text_(text) {}

  std::vector<RuleTest> tests() {
    std::vector<RuleTest> all{test()};
    while (take("and ")) all.push_back(test());
    return all;
  }
  bool take(const std::string& word) {
    skip();
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }
  void end() {
    skip();
    if (at_ < text_.size()) refuse("'and', '=>' or the end is expected here", at_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what, std::size_t place) const {
    throw UserError(complaint(what, text_, place));
  }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  // A name with dots, or a number.
  std::string word() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                  text_[at_] == '_' || text_[at_] == '.'))
      ++at_;
    if (at_ == begin) refuse("a name or a number is expected here", begin);
    return text_.substr(begin, at_ - begin);
  }

  RuleTest test() {
    RuleTest made;
    skip();
    const std::size_t begin = at_;
    const std::string name = word();
    try {
      made.decision = structure_.find_decision(name);
    } catch (const UserError& error) {
      refuse(error.what(), begin);
    }
    const Decision& decision = structure_.decisions[made.decision];
    made.order = order();
    if (made.order == Order::kEqual || made.order == Order::kUnequal) {
      do {
        skip();
        const std::size_t place = at_;
        made.options.push_back(word());
        if (std::ranges::find(decision.options, made.options.back()) == decision.options.end())
          refuse(fmt::format("'{}' is no option of '{}'{}", made.options.back(), decision.name,
                             did_you_mean(made.options.back(), decision.options)),
                 place);
      } while (take("|"));
      return made;
    }
    if (decision.kind != Decision::Kind::kNumber)
      refuse(fmt::format("'{}' is no number: = and != tell its options apart", decision.name),
             begin);
    skip();
    const std::size_t place = at_;
    const auto number = parse_number(word());
    if (!number) refuse("a number is expected here", place);
    made.number = *number;
    return made;
  }

  Order order() {
    skip();
    const std::size_t place = at_;
    // "=>" is no comparison.
    if (text_.compare(at_, 2, "=>") == 0) refuse("=, !=, <, <=, > or >= is expected here", place);
    if (take("!=")) return Order::kUnequal;
    if (take("<=")) return Order::kAtMost;
    if (take(">=")) return Order::kAtLeast;
    if (take("<")) return Order::kLess;
    if (take(">")) return Order::kGreater;
    if (take("==") || take("=")) return Order::kEqual;
    refuse("=, !=, <, <=, > or >= is expected here", place);
  }

  const EntityStructure& structure_;
  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

Rule parse_rule(const EntityStructure& structure, const PlacedText& text) {
  try {
    RuleParser parser(structure, text.text);
    Rule rule{text, {}, parser.tests()};
    if (parser.take("=>")) {
      rule.premises = std::move(rule.consequences);
      rule.consequences = parser.tests();
    }
    parser.end();
    return rule;
  } catch (const UserError& error) {
    throw UserError(structure.file.explain(text, error.what()));
  }
}

std::vector<RuleTest> parse_tests(const EntityStructure& structure, const PlacedText& text) {
  Rule rule = parse_rule(structure, text);
  if (!rule.premises.empty())
    throw UserError(structure.file.at(text, "the condition of a choice has no '=>'"));
  return std::move(rule.consequences);
}

}  // namespace arges::variants
