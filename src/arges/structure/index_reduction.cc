#include "arges/structure/index_reduction.h"

#include <algorithm>
#include <numeric>

#include "arges/base/index.h"

namespace arges::structure {

namespace {

class Pantelides {
 public:
  Pantelides(const Incidence& a, std::span<const int> derivative, const DerivedRow& derived)
      : a_(a), derived_(derived) {
    chains_.variable_derivative.assign(derivative.begin(), derivative.end());
    chains_.variable_primitive.assign(derivative.size(), -1);
    for (std::size_t v = 0; v < derivative.size(); ++v) {
      if (derivative[v] >= 0) chains_.variable_primitive[at(derivative[v])] = static_cast<int>(v);
    }
    chains_.equation_derivative.assign(at(a.rows()), -1);
    chains_.equation_primitive.assign(at(a.rows()), -1);
  }

  DerivativeChains run() {
    Incidence highest;
    highest.columns = a_.columns;
    std::vector<int> kept;
    for (int i = 0; i < a_.rows(); ++i) {
      kept.clear();
      for (const int v : a_.row(i)) {
        if (chains_.variable_derivative[at(v)] < 0) kept.push_back(v);
      }
      highest.add_row(kept);
    }
    const Matching first = maximum_matching(highest);
    equation_of_ = first.row_of_column;
    visited_variable_.assign(equation_of_.size(), 0);
    visited_equation_.assign(at(a_.rows()), 0);
    for (int k = 0; k < a_.rows(); ++k) {
      if (first.column_of_row[at(k)] >= 0) continue;
      match(k);
      for (; !unmatched_.empty(); unmatched_.erase(unmatched_.begin())) match(unmatched_.front());
    }
    return std::move(chains_);
  }

 private:
  void match(int equation) {
    for (int i = equation; !augment(i); i = chains_.equation_derivative[at(i)]) {
      if (of(i).order > a_.rows()) return;
      differentiate_visited();
    }
  }

  struct Derived {
    int given;
    int order;
  };
  Derived of(int equation) const {
    Derived from{equation, 0};
    for (; chains_.equation_primitive[at(from.given)] >= 0; ++from.order)
      from.given = chains_.equation_primitive[at(from.given)];
    return from;
  }

  std::span<const int> row(int i) const {
    if (i < a_.rows()) return a_.row(i);
    return chains_.added_rows[at(i - a_.rows())];
  }

  bool augment(int root) {
    seen_variables_.clear();
    seen_equations_.clear();
    ++stamp_;
    struct Frame {
      int equation;
      std::size_t next;
    };
    std::vector<Frame> path;
    const auto enter = [&](int i) {
      visited_equation_[at(i)] = stamp_;
      seen_equations_.push_back(i);
      path.push_back({i, 0});
    };
    enter(root);
    while (!path.empty()) {
      Frame& top = path.back();
      const auto columns = row(top.equation);
      if (top.next == 0) {
        for (std::size_t k = 0; k < columns.size(); ++k) {
          const int v = columns[k];
          if (chains_.variable_derivative[at(v)] >= 0 || equation_of_[at(v)] >= 0) continue;
          top.next = k;
          for (const Frame& frame : path)
            equation_of_[at(row(frame.equation)[frame.next])] = frame.equation;
          return true;
        }
      }
      if (top.next == columns.size()) {
        path.pop_back();
        if (!path.empty()) ++path.back().next;
        continue;
      }
      const int v = columns[top.next];
      if (chains_.variable_derivative[at(v)] >= 0 || visited_variable_[at(v)] == stamp_) {
        ++top.next;
        continue;
      }
      visited_variable_[at(v)] = stamp_;
      seen_variables_.push_back(v);
      enter(equation_of_[at(v)]);
    }
    return false;
  }

  int derivative_of_variable(int v) {
    int& d = chains_.variable_derivative[at(v)];
    if (d >= 0) return d;
    const int added = static_cast<int>(chains_.variable_derivative.size());
    d = added;
    chains_.variable_derivative.push_back(-1);
    chains_.variable_primitive.push_back(v);
    equation_of_.push_back(-1);
    visited_variable_.push_back(0);
    return added;
  }

  void differentiate_visited() {
    std::sort(seen_variables_.begin(), seen_variables_.end());
    std::sort(seen_equations_.begin(), seen_equations_.end());
    for (const int v : seen_variables_) derivative_of_variable(v);
    for (const int i : seen_equations_) {
      const int added = static_cast<int>(chains_.equation_derivative.size());
      chains_.equation_derivative[at(i)] = added;
      chains_.equation_derivative.push_back(-1);
      chains_.equation_primitive.push_back(i);
      visited_equation_.push_back(0);
      chains_.added_rows.push_back(derived_row(added));
    }
    for (const int v : seen_variables_) {
      const int d = chains_.variable_derivative[at(v)];
      const int differentiated = chains_.equation_derivative[at(equation_of_[at(v)])];
      const auto columns = row(differentiated);
      if (std::binary_search(columns.begin(), columns.end(), d)) {
        equation_of_[at(d)] = differentiated;
      } else {
        unmatched_.push_back(differentiated);
      }
    }
  }

  // The variables of a differentiated equation, ascending.
  std::vector<int> derived_row(int equation) {
    const Derived from = of(equation);
    const std::optional<std::vector<Rate>> said =
        derived_ ? derived_(from.given, from.order) : std::optional<std::vector<Rate>>();
    std::vector<int> columns;
    if (said) {
      for (const Rate& rate : *said) {
        int v = rate.variable;
        for (int k = 0; k < rate.times; ++k) v = derivative_of_variable(v);
        columns.push_back(v);
      }
    } else {
      const auto before = row(chains_.equation_primitive[at(equation)]);
      columns.assign(before.begin(), before.end());
      const std::size_t old = columns.size();
      for (std::size_t k = 0; k < old; ++k) columns.push_back(derivative_of_variable(columns[k]));
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    return columns;
  }

  const Incidence& a_;
  const DerivedRow& derived_;
  std::vector<int> unmatched_;  // derivatives of equations that lost their variable
  DerivativeChains chains_;
  std::vector<int> equation_of_;  // variable -> equation
  std::vector<int> visited_variable_, visited_equation_;
  std::vector<int> seen_variables_, seen_equations_;
  int stamp_ = 0;
};

}  // namespace

DerivativeChains pantelides(const Incidence& a, std::span<const int> derivative,
                            const DerivedRow& derived) {
  return Pantelides(a, derivative, derived).run();
}

Incidence merged_incidence(const Incidence& a, std::span<const int> derivative) {
  std::vector<int> root(derivative.size());
  std::iota(root.begin(), root.end(), 0);
  std::vector<char> is_derivative(derivative.size(), 0);
  for (const int d : derivative) {
    if (d >= 0) is_derivative[at(d)] = 1;
  }
  for (std::size_t v = 0; v < derivative.size(); ++v) {
    if (is_derivative[v]) continue;
    for (int d = derivative[v]; d >= 0; d = derivative[at(d)]) root[at(d)] = static_cast<int>(v);
  }
  Incidence merged;
  merged.columns = a.columns;
  merged.start = a.start;
  merged.column.reserve(a.column.size());
  for (const int c : a.column) merged.column.push_back(root[at(c)]);
  return merged;
}

}  // namespace arges::structure
