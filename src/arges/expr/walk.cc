#include "arges/expr/walk.h"

namespace arges {

namespace {
std::size_t at(ExprId e) { return static_cast<std::size_t>(e.index); }
}  // namespace

std::span<const ExprId> ExprWalker::new_nodes(std::span<const ExprId> roots) {
  marks_.resize(static_cast<std::size_t>(pool_.size()), 0);
  out_.clear();
  // A node is on the stack once to be entered and, as its complement, once to be listed.
  for (const ExprId root : roots) {
    stack_.push_back(root);
    while (!stack_.empty()) {
      const ExprId e = stack_.back();
      stack_.pop_back();
      if (e.index < 0) {
        out_.push_back(ExprId{~e.index});
        continue;
      }
      if (marks_[at(e)] == stamp_) continue;
      marks_[at(e)] = stamp_;
      const auto args = pool_.args(e);
      if (args.empty()) {
        out_.push_back(e);
        continue;
      }
      stack_.push_back(ExprId{~e.index});
      for (std::size_t i = args.size(); i-- > 0;) stack_.push_back(args[i]);
    }
  }
  return out_;
}

ExprId ExprRewriter::operator()(ExprId root) {
  if (memo_.size() < static_cast<std::size_t>(pool_.size()))
    memo_.resize(static_cast<std::size_t>(pool_.size()));
  std::vector<ExprId> args;
  stack_.push_back(root);
  while (!stack_.empty()) {
    const ExprId e = stack_.back();
    if (memo_[at(e)].valid()) {
      stack_.pop_back();
      continue;
    }
    if (enter_) {
      const ExprId whole = enter_(e);
      if (whole.valid()) {
        memo_[at(e)] = whole;
        continue;
      }
    }
    bool ready = true;
    const auto arguments = pool_.args(e);
    const std::vector<ExprId> old(arguments.begin(), arguments.end());
    for (std::size_t i = old.size(); i-- > 0;) {
      if (!memo_[at(old[i])].valid()) {
        stack_.push_back(old[i]);
        ready = false;
      }
    }
    if (!ready) continue;
    stack_.pop_back();
    args.clear();
    bool same = true;
    for (const ExprId a : old) {
      args.push_back(memo_[at(a)]);
      same = same && args.back() == a;
    }
    ExprId mapped = replace_(e, args);
    if (!mapped.valid()) mapped = same ? e : pool_.rebuild(e, args);
    memo_[at(e)] = mapped;
  }
  return memo_[at(root)];
}

}  // namespace arges
