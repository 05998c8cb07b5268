#include "arges/experiment/formula.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/experiment/specification.h"

namespace arges {

namespace {

struct Known {
  const char* name;
  int arguments;
  double (*function)(const double* a);
};

constexpr Known kFunctions[] = {
    {"abs", 1, [](const double* a) { return std::abs(a[0]); }},
    {"sqrt", 1, [](const double* a) { return std::sqrt(a[0]); }},
    {"exp", 1, [](const double* a) { return std::exp(a[0]); }},
    {"log", 1, [](const double* a) { return std::log(a[0]); }},
    {"log10", 1, [](const double* a) { return std::log10(a[0]); }},
    {"sin", 1, [](const double* a) { return std::sin(a[0]); }},
    {"cos", 1, [](const double* a) { return std::cos(a[0]); }},
    {"tan", 1, [](const double* a) { return std::tan(a[0]); }},
    {"asin", 1, [](const double* a) { return std::asin(a[0]); }},
    {"acos", 1, [](const double* a) { return std::acos(a[0]); }},
    {"atan", 1, [](const double* a) { return std::atan(a[0]); }},
    {"atan2", 2, [](const double* a) { return std::atan2(a[0], a[1]); }},
    {"sinh", 1, [](const double* a) { return std::sinh(a[0]); }},
    {"cosh", 1, [](const double* a) { return std::cosh(a[0]); }},
    {"tanh", 1, [](const double* a) { return std::tanh(a[0]); }},
    {"floor", 1, [](const double* a) { return std::floor(a[0]); }},
    {"ceil", 1, [](const double* a) { return std::ceil(a[0]); }},
    {"sign", 1, [](const double* a) { return static_cast<double>((a[0] > 0) - (a[0] < 0)); }},
    {"min", 2, [](const double* a) { return std::min(a[0], a[1]); }},
    {"max", 2, [](const double* a) { return std::max(a[0], a[1]); }},
};

constexpr const char* kFunctionsOfRuns[] = {"final", "max", "min", "mean", "rms", "integral"};

double plus(const double* a) { return a[0] + a[1]; }
double minus(const double* a) { return a[0] - a[1]; }
double times(const double* a) { return a[0] * a[1]; }
double over(const double* a) { return a[0] / a[1]; }
double power(const double* a) { return std::pow(a[0], a[1]); }
double negative(const double* a) { return -a[0]; }

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool goes_on(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

// Recursive descent into the steps of the stack machine.
class FormulaParser {
 public:
  FormulaParser(const std::string& text, Formula::Leaves leaves) : all_(text), leaves_(leaves) {
    formula_.text_ = text;
  }

  Formula parse() {
    sum();
    skip_blanks();
    if (at_ < all_.size()) refuse("something is missing before this", at_);
    return std::move(formula_);
  }

 private:
  using Step = Formula::Step;

  [[noreturn]] void refuse(const std::string& what, std::size_t place) const {
    throw UserError(complaint(what, all_, place));
  }
  void skip_blanks() {
    while (at_ < all_.size() && all_[at_] == ' ') ++at_;
  }
  char next() {
    skip_blanks();
    return at_ < all_.size() ? all_[at_] : '\0';
  }
  bool take(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }
  void call(Formula::Function operation, int arguments) {
    formula_.steps_.push_back({Step::Kind::kCall, 0, arguments, operation});
    depth_ -= arguments - 1;
  }
  void push(Step step) {
    formula_.steps_.push_back(step);
    if (++depth_ > Formula::kDeepest) refuse("the expression is nested too deeply", at_);
  }

  void sum() {
    product();
    for (;;) {
      if (take('+')) {
        product();
        call(plus, 2);
      } else if (take('-')) {
        product();
        call(minus, 2);
      } else {
        return;
      }
    }
  }
  void product() {
    factor();
    for (;;) {
      if (take('*')) {
        factor();
        call(times, 2);
      } else if (take('/')) {
        factor();
        call(over, 2);
      } else {
        return;
      }
    }
  }
  void factor() {
    if (++nesting_ > 4 * Formula::kDeepest) refuse("the expression is nested too deeply", at_);
    if (take('-')) {
      factor();
      call(negative, 1);
    } else if (take('+')) {
      factor();
    } else {
      primary();
      if (take('^')) {
        factor();
        call(power, 2);
      }
    }
    --nesting_;
  }

  void primary() {
    const char c = next();
    const std::size_t begin = at_;
    if (take('(')) {
      sum();
      if (!take(')')) refuse("a parenthesis is not closed", begin);
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') {
      push({Step::Kind::kNumber, number(), 0, nullptr});
    } else if (begins_name(c) || c == '\'') {
      name();
    } else {
      refuse(c == '\0' ? "the expression ends too early" : "a number or a name belongs here",
             begin);
    }
  }

  double number() {
    double value = 0;
    const char* begin = all_.data() + at_;
    const auto [end, error] = std::from_chars(begin, all_.data() + all_.size(), value);
    if (error != std::errc()) refuse("this is not a number", at_);
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  // A component reference: parts with dots and subscripts.
  std::string reference() {
    const std::size_t begin = at_;
    for (;;) {
      if (at_ < all_.size() && all_[at_] == '\'') {
        const std::size_t close = all_.find('\'', at_ + 1);
        if (close == std::string::npos) refuse("a quote is not closed", at_);
        at_ = close + 1;
      } else {
        if (at_ >= all_.size() || !begins_name(all_[at_])) refuse("a name belongs here", at_);
        while (at_ < all_.size() && goes_on(all_[at_])) ++at_;
      }
      if (at_ < all_.size() && all_[at_] == '[') {
        const std::size_t close = all_.find(']', at_);
        if (close == std::string::npos) refuse("a bracket is not closed", at_);
        at_ = close + 1;
      }
      if (at_ >= all_.size() || all_[at_] != '.') break;
      ++at_;
    }
    return all_.substr(begin, at_ - begin);
  }

  void name() {
    const std::size_t begin = at_;
    const std::string word = reference();
    if (next() == '(') {
      function(word, begin);
      return;
    }
    if (word == "pi") {
      push({Step::Kind::kNumber, std::numbers::pi, 0, nullptr});
      return;
    }
    if (next() == '@') {
      if (leaves_ == Formula::Leaves::kRow) refuse("a value at a time is one of a whole run", at_);
      ++at_;
      skip_blanks();
      std::string place = without_blanks(begin);
      const std::size_t what = at_;
      if (next() == '\'' || next() == '_' || std::isalpha(static_cast<unsigned char>(next()))) {
        place += event();
      } else {
        take('-');
        number();
        place += without_blanks(what);
      }
      leaf(place);
      return;
    }
    leaf(word);
  }

  // The name of an event, in quotes when it is a condition, and which one of them.
  std::string event() {
    const std::size_t begin = at_;
    if (next() == '\'') {
      const std::size_t close = all_.find('\'', at_ + 1);
      if (close == std::string::npos) refuse("a quote is not closed", at_);
      at_ = close + 1;
    } else {
      while (at_ < all_.size() &&
             (std::isalnum(static_cast<unsigned char>(all_[at_])) ||
              std::string_view("_.[]#").find(all_[at_]) != std::string_view::npos))
        ++at_;
    }
    if (at_ < all_.size() && all_[at_] == ':') {
      ++at_;
      while (at_ < all_.size() && std::isalnum(static_cast<unsigned char>(all_[at_]))) ++at_;
    }
    return all_.substr(begin, at_ - begin);
  }

  std::string without_blanks(std::size_t begin) const {
    std::string text = all_.substr(begin, at_ - begin);
    std::erase(text, ' ');
    return text;
  }

  void function(const std::string& word, std::size_t begin) {
    const std::size_t open = at_, close = matching(open);
    const std::string inside = all_.substr(open + 1, close - open - 1);
    if (word == "der") {
      at_ = close + 1;
      leaf(without_blanks(begin));
      return;
    }
    const bool of_a_run = std::ranges::find(kFunctionsOfRuns, word) != std::end(kFunctionsOfRuns);
    if (leaves_ == Formula::Leaves::kRun && of_a_run && !has_comma(inside)) {
      at_ = close + 1;
      leaf(all_.substr(begin, at_ - begin));
      return;
    }
    const auto* known = std::ranges::find(kFunctions, word, [](const Known& f) { return f.name; });
    if (known == std::end(kFunctions)) {
      std::vector<std::string> names;
      for (const Known& each : kFunctions) names.emplace_back(each.name);
      for (const char* each : kFunctionsOfRuns) {
        const bool is_there = std::ranges::find(names, each) != names.end();
        if (leaves_ == Formula::Leaves::kRun && !is_there) names.emplace_back(each);
      }
      refuse(fmt::format("there is no function '{}'{}", word, did_you_mean(word, names)), begin);
    }
    if (leaves_ == Formula::Leaves::kRow && of_a_run && !has_comma(inside))
      refuse(fmt::format("{} of a whole run cannot stand inside another one", word), begin);
    take('(');
    int arguments = 1;
    for (sum(); take(','); ++arguments) sum();
    if (!take(')')) refuse("a comma or a parenthesis belongs here", at_);
    if (arguments != known->arguments)
      refuse(fmt::format("{} takes {}, not {}", word,
                         known->arguments == 1 ? "one argument" : "two arguments", arguments),
             begin);
    call(known->function, arguments);
  }

  std::size_t matching(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < all_.size(); ++i) {
      if (all_[i] == '(') ++depth;
      if (all_[i] == ')' && --depth == 0) return i;
    }
    refuse("a parenthesis is not closed", open);
  }
  static bool has_comma(const std::string& text) {
    int depth = 0;
    for (const char c : text) {
      depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
      if (c == ',' && depth == 0) return true;
    }
    return false;
  }

  void leaf(const std::string& text) {
    auto& known = formula_.leaves_;
    const auto found = std::ranges::find(known, text);
    const auto index = static_cast<int>(found - known.begin());
    if (found == known.end()) known.push_back(text);
    push({Step::Kind::kLeaf, 0, index, nullptr});
  }

  std::string all_;
  Formula::Leaves leaves_;
  Formula formula_;
  std::size_t at_ = 0;
  int depth_ = 0, nesting_ = 0;
};

Formula Formula::parse(const std::string& text, Leaves leaves) {
  return FormulaParser(text, leaves).parse();
}

Formula Formula::parse_part(const std::string& whole, std::size_t begin, std::size_t end,
                            Leaves leaves) {
  // Blanks stand for what is around it.
  try {
    return parse(std::string(begin, ' ') + whole.substr(begin, end - begin), leaves);
  } catch (const UserError& error) {
    const std::optional<Complaint> inside = read_complaint(error.what());
    if (!inside) throw;
    throw UserError(complaint(inside->what, whole, inside->place));
  }
}

Formula Formula::leaf(const std::string& name) {
  Formula formula;
  formula.text_ = name;
  formula.leaves_ = {name};
  formula.steps_ = {{Step::Kind::kLeaf, 0, 0, nullptr}};
  return formula;
}

double Formula::value(std::span<const double> values) const {
  double stack[kDeepest + 1];
  int top = 0;
  for (const Step& step : steps_) {
    switch (step.kind) {
      case Step::Kind::kNumber:
        stack[top++] = step.number;
        break;
      case Step::Kind::kLeaf:
        stack[top++] = values[static_cast<std::size_t>(step.count)];
        break;
      case Step::Kind::kCall:
        top -= step.count;
        stack[top] = step.function(stack + top);
        ++top;
        break;
    }
  }
  return stack[0];
}

namespace {

// The next <, > or = that does not stand in quotes, as that of an event does: v@'h <= 0'.
std::size_t find_relation(const std::string& text, std::size_t begin) {
  bool quoted = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '\'') quoted = !quoted;
    if (!quoted && std::string_view("<>=").find(text[i]) != std::string_view::npos) return i;
  }
  return std::string::npos;
}

}  // namespace

Condition parse_condition(const std::string& text, Formula::Leaves leaves) {
  const std::size_t at = find_relation(text, 0);
  if (at == std::string::npos)
    throw UserError(
        complaint("a condition needs =, <= or >=, as in x@2 = 1 or max(v) <= 3", text, 0));
  const bool two = at + 1 < text.size() && text[at + 1] == '=';
  const std::size_t after = at + (two ? 2 : 1);
  if (const std::size_t again = find_relation(text, after); again != std::string::npos)
    throw UserError(complaint("a condition has one relation", text, again));
  Condition condition;
  condition.text = text;
  condition.kind = text[at] == '=' ? Condition::Kind::kEqual : Condition::Kind::kAtMost;
  condition.left = Formula::parse_part(text, 0, at, leaves);
  condition.right = Formula::parse_part(text, after, text.size(), leaves);
  if (text[at] == '>') std::swap(condition.left, condition.right);
  return condition;
}

}  // namespace arges
