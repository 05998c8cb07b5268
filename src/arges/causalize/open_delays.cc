#include "arges/causalize/open_delays.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "arges/causalize/flat_rewrite.h"
#include "arges/expr/walk.h"

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
    ++count_;
    const ExprId value = named("$sent", sent);
    if (use_ == DelayUse::kAtRest) return value;
    named("$after", duration);
    FlatVariable past;
    past.name = fmt::format("$past{}", count_);
    past.causality = Causality::kInput;
    return model_.ref(model_.add(std::move(past)));
  }

  ExprId named(const char* name, ExprId value) {
    FlatVariable v;
    v.name = fmt::format("{}{}", name, count_);
    const ExprId ref = model_.ref(model_.add(std::move(v)));
    added_.push_back({ref, value, {}, true});
    return ref;
  }

  FlatModel& model_;
  DelayUse use_;
  ExprRewriter rewriter_;
  std::vector<FlatEquation> added_;
  int count_ = 0;
};

}  // namespace

void replace_delays(FlatModel& model, DelayUse use) {
  if (use != DelayUse::kKept && model.machines.empty()) DelayReplacer(model, use).run();
}

}  // namespace arges
