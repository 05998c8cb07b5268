#pragma once
// Visiting and rewriting expressions without recursion.

#include <functional>
#include <span>
#include <vector>

#include "arges/expr/pool.h"

namespace arges {

// Lists the nodes of expressions, each once, arguments first. The marks are kept between calls, so
// that a walk costs the size of what it visits, not of the pool.
class ExprWalker {
 public:
  explicit ExprWalker(const ExprPool& pool) : pool_(pool) {}

  // The nodes below (and including) the roots that were not listed since the last clear().
  std::span<const ExprId> new_nodes(std::span<const ExprId> roots);
  // All nodes below the root.
  std::span<const ExprId> nodes(ExprId root) {
    clear();
    return new_nodes(std::span<const ExprId>(&root, 1));
  }
  void clear() { ++stamp_; }

 private:
  const ExprPool& pool_;
  std::vector<std::uint32_t> marks_;
  std::uint32_t stamp_ = 1;
  std::vector<ExprId> out_;
  std::vector<ExprId> stack_;
};

// Maps expressions bottom-up. `replace(e, args)` gets a node and its already mapped arguments, and
// returns what stands for it; an invalid id means: the same node over these arguments. Results are
// remembered, so that the work is that of the graph, not of the tree; `replace` must therefore not
// depend on where a node stands. `enter(e)`, if given, is asked first: a valid id stands for the
// whole of e, whose arguments are then not visited.
class ExprRewriter {
 public:
  using Replace = std::function<ExprId(ExprId e, std::span<const ExprId> args)>;
  using Enter = std::function<ExprId(ExprId e)>;
  ExprRewriter(ExprPool& pool, Replace replace, Enter enter = {})
      : pool_(pool), replace_(std::move(replace)), enter_(std::move(enter)) {}

  ExprId operator()(ExprId root);
  // Replaces below the root, but gives an invalid id when it is invalid.
  ExprId if_valid(ExprId root) { return root.valid() ? (*this)(root) : root; }

 private:
  ExprPool& pool_;
  Replace replace_;
  Enter enter_;
  std::vector<ExprId> memo_;
  std::vector<ExprId> stack_;
};

}  // namespace arges
