#include "arges/causalize/open_delays.h"

#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "arges/causalize/flat_rewrite.h"
#include "arges/expr/walk.h"
#include "arges/flat/print.h"

namespace arges {

namespace {

class DelayReplacer {
 public:
  DelayReplacer(FlatModel& model, DelayUse use)
      : model_(model),
        use_(use),
        rewriter_(model.pool, [this](ExprId e, std::span<const ExprId> args) {
          return model_.pool[e].op == Op::kDelay ? replaced(args[0], args[1]) : ExprId{};
        }) {}

  void run() {
    rewrite_equations(model_, [this](ExprId e) { return rewriter_.if_valid(e); });
    for (const FlatEquation& each : added_) model_.equations.push_back(each);
  }

 private:
  ExprId replaced(ExprId sent, ExprId duration) {
    const ExprNames names = names_of(model_);
    std::string name = fmt::format("delay({}, {})", to_text(model_.pool, sent, names),
                                   to_text(model_.pool, duration, names));
    if (const int number = ++count_[name]; number > 1) name += fmt::format("#{}", number);
    const ExprId value = named(name, sent);
    if (use_ == DelayUse::kAtRest) return value;
    named(fmt::format("{}{}", kTimeOf, name), duration);
    FlatVariable past;
    past.name = fmt::format("{}{}", kPastOf, name);
    past.causality = Causality::kInput;
    return model_.ref(model_.add(std::move(past)));
  }

  ExprId named(std::string name, ExprId value) {
    FlatVariable v;
    v.name = std::move(name);
    const ExprId ref = model_.ref(model_.add(std::move(v)));
    added_.push_back({ref, value, {}, true});
    return ref;
  }

  FlatModel& model_;
  DelayUse use_;
  ExprRewriter rewriter_;
  std::vector<FlatEquation> added_;
  std::map<std::string, int> count_;  // of each text
};

}  // namespace

void replace_delays(FlatModel& model, DelayUse use) {
  if (use != DelayUse::kKept && model.machines.empty()) DelayReplacer(model, use).run();
}

}  // namespace arges
