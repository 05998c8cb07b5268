// Terms of equations that cancel: x + y - y = z says nothing of y.

#include <algorithm>
#include <vector>

#include "arges/causalize/passes.h"
#include "arges/expr/walk.h"

namespace arges {

namespace {

struct Term {
  ExprId of;        // what is summed, without its factor
  double factor;    // with the sign, as if all stood on the left
  ExprId as_found;  // with the factor
  bool negative;    // subtracted on its own side
  bool on_left;
};

class Cancellation {
 public:
  explicit Cancellation(FlatModel& flat) : flat_(flat), pool_(flat.pool), walker_(flat.pool) {}

  void run(std::vector<FlatEquation>& equations) {
    for (FlatEquation& e : equations) {
      if (e.defines || pool_[e.lhs].type != ScalarType::kReal) continue;
      terms_.clear();
      collect(e.lhs, true);
      collect(e.rhs, false);
      if (terms_.size() > 2 && find_cancelled() && is_unknown_left()) {
        e.lhs = sum(true);
        e.rhs = sum(false);
      }
    }
  }

 private:
  void collect(ExprId side, bool on_left) {
    struct Open {
      ExprId e;
      bool negative;
    };
    std::vector<Open> open{{side, false}};
    while (!open.empty()) {
      const auto [e, negative] = open.back();
      open.pop_back();
      const Op op = pool_[e].op;
      if (op == Op::kAdd || op == Op::kSub) {  // the first argument is taken next
        open.push_back({pool_.arg(e, 1), op == Op::kSub ? !negative : negative});
        open.push_back({pool_.arg(e, 0), negative});
      } else if (op == Op::kNeg) {
        open.push_back({pool_.arg(e, 0), !negative});
      } else {
        add(e, negative, on_left);
      }
    }
  }

  void add(ExprId e, bool negative, bool on_left) {
    Term t{e, negative == on_left ? -1.0 : 1.0, e, negative, on_left};
    if (pool_[e].op == Op::kMul && pool_.is_constant(pool_.arg(e, 0))) {
      t.factor *= pool_.value(pool_.arg(e, 0));
      t.of = pool_.arg(e, 1);
    }
    terms_.push_back(t);
  }

  // Marks them in cancelled_.
  bool find_cancelled() {
    order_.resize(terms_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = i;
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      return terms_[a].of.index < terms_[b].of.index;
    });
    cancelled_.assign(terms_.size(), 0);
    bool any = false;
    for (std::size_t first = 0, last = 0; first < order_.size(); first = last) {
      const ExprId of = terms_[order_[first]].of;
      double total = 0;
      for (; last < order_.size() && terms_[order_[last]].of == of; ++last)
        total += terms_[order_[last]].factor;
      if (total != 0 || last - first < 2 || pool_.is_constant(of)) continue;
      any = true;
      for (std::size_t k = first; k < last; ++k) cancelled_[order_[k]] = 1;
    }
    return any;
  }

  // y = y + 1 is kept, so that it can be named as what has no solution.
  bool is_unknown_left() {
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      if (cancelled_[i]) continue;
      for (const ExprId n : walker_.nodes(terms_[i].of)) {
        const bool is_unknown = pool_[n].op == Op::kVar &&
                                flat_[pool_.var(n)].variability > FlatVariability::kParameter;
        if (is_unknown) return true;
      }
    }
    return false;
  }

  ExprId sum(bool on_left) {
    ExprId result;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const Term& t = terms_[i];
      if (t.on_left != on_left || cancelled_[i]) continue;
      if (result.valid()) {
        result = t.negative ? pool_.sub(result, t.as_found) : pool_.add(result, t.as_found);
      } else {
        result = t.negative ? pool_.neg(t.as_found) : t.as_found;
      }
    }
    return result.valid() ? result : pool_.real(0);
  }

  FlatModel& flat_;
  ExprPool& pool_;
  ExprWalker walker_;
  std::vector<Term> terms_;
  std::vector<std::size_t> order_;
  std::vector<char> cancelled_;
};

}  // namespace

void cancel_terms(FlatModel& model) {
  Cancellation cancellation(model);
  cancellation.run(model.equations);
  cancellation.run(model.initial_equations);
}

}  // namespace arges
