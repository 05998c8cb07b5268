#include "arges/structure/hidden_dependencies.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "arges/base/index.h"
#include "arges/structure/matching.h"

namespace arges::structure {

namespace {

// Operations on terms for each term that there is, before a part is given up.
constexpr std::int64_t kPatience = 200;

// factor_a * a + factor_b * b, by columns; nothing when a number grows too large.
std::optional<IntegerRow> combine(const IntegerRow& a, std::int64_t factor_a, const IntegerRow& b,
                                  std::int64_t factor_b) {
  IntegerRow sum;
  sum.reserve(a.size() + b.size());
  auto p = a.begin(), q = b.begin();
  while (p != a.end() || q != b.end()) {
    const bool takes_a = q == b.end() || (p != a.end() && p->column <= q->column);
    const bool takes_b = p == a.end() || (q != b.end() && q->column <= p->column);
    const int column = takes_a ? p->column : q->column;
    std::int64_t left = 0, right = 0, total = 0;
    if (takes_a && __builtin_mul_overflow(p++->factor, factor_a, &left)) return {};
    if (takes_b && __builtin_mul_overflow(q++->factor, factor_b, &right)) return {};
    if (__builtin_add_overflow(left, right, &total)) return {};
    if (total != 0) sum.push_back({column, total});
  }
  return sum;
}

// Row echelon form, one row after the other. With `notes_sums`, rows know of which rows they are
// the sum.
class Elimination {
 public:
  Elimination(int columns, bool notes_sums, std::int64_t patience)
      : notes_sums_(notes_sums),
        patience_(patience),
        pivot_of_(at(columns), -1),
        readers_(at(columns), 0) {}

  // False: given up. `row` has its terms by column.
  bool add(int number, const IntegerRow& row) {
    Reduced r{row, {}};
    if (notes_sums_) r.parts.push_back({number, 1});
    for (;;) {
      // The oldest pivot first: its row brings in younger ones only.
      int oldest = -1;
      for (const IntegerTerm& t : r.terms) {
        const int p = pivot_of_[at(t.column)];
        if (p >= 0 && (oldest < 0 || p < oldest)) oldest = p;
      }
      if (oldest < 0) break;
      if (!reduce(r, oldest)) return false;
    }
    if (r.terms.empty())
      vanished_.push_back({number, std::move(r.parts)});
    else
      make_pivot(std::move(r));
    return true;
  }

  int rank() const { return static_cast<int>(pivots_.size()); }
  int vanished_rows() const { return static_cast<int>(vanished_.size()); }
  std::vector<VanishingSum> vanished() {
    std::vector<VanishingSum> sums;
    for (auto& [row, parts] : vanished_) {
      VanishingSum sum{row, {}};
      for (const IntegerTerm& p : parts) sum.parts.push_back({p.column, p.factor});
      sums.push_back(std::move(sum));
    }
    return sums;
  }

 private:
  struct Reduced {
    IntegerRow terms;
    IntegerRow parts;  // columns are rows here
  };

  bool reduce(Reduced& r, int pivot) {
    const Reduced& by = pivots_[at(pivot)];
    const int column = pivot_column_[at(pivot)];
    std::int64_t own = factor(r.terms, column), its = factor(by.terms, column);
    const std::int64_t common = std::gcd(own, its);
    own /= common;
    its /= common;
    auto terms = combine(r.terms, its, by.terms, -own);
    auto parts = combine(r.parts, its, by.parts, -own);
    if (!terms || !parts) return false;
    patience_ -= static_cast<std::int64_t>(terms->size() + parts->size() + 1);
    r = {std::move(*terms), std::move(*parts)};
    divide_by_common_factor(r);
    return patience_ > 0;
  }

  static std::int64_t factor(const IntegerRow& row, int column) {
    return std::find_if(row.begin(), row.end(), [&](auto& t) { return t.column == column; })
        ->factor;
  }

  static void divide_by_common_factor(Reduced& r) {
    std::int64_t common = 0;
    for (const IntegerTerm& t : r.terms) common = std::gcd(common, t.factor);
    for (const IntegerTerm& t : r.parts) common = std::gcd(common, t.factor);
    if (common < 2) return;
    for (IntegerTerm& t : r.terms) t.factor /= common;
    for (IntegerTerm& t : r.parts) t.factor /= common;
  }

  void make_pivot(Reduced r) {
    const auto& chosen = *std::min_element(r.terms.begin(), r.terms.end(), [&](auto& a, auto& b) {
      return readers_[at(a.column)] < readers_[at(b.column)];
    });
    const int column = chosen.column;
    for (const IntegerTerm& t : r.terms) {
      if (t.column != column) readers_[at(t.column)] += readers_[at(column)] + 1;
    }
    pivot_of_[at(column)] = rank();
    pivot_column_.push_back(column);
    pivots_.push_back(std::move(r));
  }

  bool notes_sums_;
  std::int64_t patience_;
  std::vector<int> pivot_of_;  // by column, -1: none
  std::vector<std::int64_t> readers_;
  std::vector<int> pivot_column_;
  std::vector<Reduced> pivots_;
  std::vector<std::pair<int, IntegerRow>> vanished_;
};

class HiddenDependencies {
 public:
  HiddenDependencies(std::span<const IntegerRow> rows, int columns)
      : columns_(columns), users_(at(columns)) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      IntegerRow row = rows[i];
      std::sort(row.begin(), row.end(), [](auto& a, auto& b) { return a.column < b.column; });
      for (const IntegerTerm& t : row) users_[at(t.column)].push_back(static_cast<int>(i));
      rows_.push_back(std::move(row));
    }
  }

  std::vector<VanishingSum> find() {
    leave_out_private_columns();
    std::vector<VanishingSum> found;
    for (const std::vector<int>& part : connected_parts()) {
      std::int64_t terms = 0;
      for (const int i : part) terms += static_cast<std::int64_t>(rows_[at(i)].size());
      Elimination plain(columns_of(part), false, kPatience * terms);
      if (!all(part, plain) || plain.vanished_rows() == 0) continue;
      if (plain.rank() == maximum_matching(incidence(part)).size()) continue;
      Elimination noted(columns_of(part), true, kPatience * terms);
      if (!all(part, noted)) continue;
      for (VanishingSum& sum : noted.vanished()) found.push_back(std::move(sum));
    }
    return found;
  }

 private:
  void leave_out_private_columns() {
    left_.assign(rows_.size(), 1);
    std::vector<int> uses(users_.size()), open;
    for (std::size_t c = 0; c < users_.size(); ++c) {
      uses[c] = static_cast<int>(users_[c].size());
      if (uses[c] == 1) open.push_back(static_cast<int>(c));
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) left_[i] = rows_[i].empty() ? 0 : 1;
    while (!open.empty()) {
      const int c = open.back();
      open.pop_back();
      for (const int i : users_[at(c)]) {
        if (left_[at(i)] == 0) continue;
        left_[at(i)] = 0;
        for (const IntegerTerm& t : rows_[at(i)]) {
          if (--uses[at(t.column)] == 1) open.push_back(t.column);
        }
      }
    }
  }

  // Of the rows that are left. Numbers the columns of each part anew, in local_.
  std::vector<std::vector<int>> connected_parts() {
    std::vector<std::vector<int>> parts;
    local_.assign(at(columns_), -1);
    for (std::size_t first = 0; first < rows_.size(); ++first) {
      if (left_[first] != 1) continue;
      std::vector<int> part{static_cast<int>(first)};
      left_[first] = 0;
      int columns = 0;
      for (std::size_t k = 0; k < part.size(); ++k) {
        for (IntegerTerm& t : rows_[at(part[k])]) {
          if (local_[at(t.column)] >= 0) continue;
          local_[at(t.column)] = columns++;
          for (const int i : users_[at(t.column)]) {
            if (left_[at(i)] != 1) continue;
            left_[at(i)] = 0;
            part.push_back(i);
          }
        }
      }
      std::sort(part.begin(), part.end(), [&](int a, int b) {
        return std::pair(rows_[at(a)].size(), a) < std::pair(rows_[at(b)].size(), b);
      });
      parts.push_back(std::move(part));
    }
    return parts;
  }

  int columns_of(const std::vector<int>& part) const {
    int last = -1;
    for (const int i : part) {
      for (const IntegerTerm& t : rows_[at(i)]) last = std::max(last, local_[at(t.column)]);
    }
    return last + 1;
  }

  IntegerRow local_row(int i) const {
    IntegerRow row = rows_[at(i)];
    for (IntegerTerm& t : row) t.column = local_[at(t.column)];
    std::sort(row.begin(), row.end(), [](auto& a, auto& b) { return a.column < b.column; });
    return row;
  }

  bool all(const std::vector<int>& part, Elimination& elimination) const {
    return std::all_of(part.begin(), part.end(),
                       [&](int i) { return elimination.add(i, local_row(i)); });
  }

  Incidence incidence(const std::vector<int>& part) const {
    Incidence a;
    a.columns = columns_of(part);
    std::vector<int> columns;
    for (const int i : part) {
      columns.clear();
      for (const IntegerTerm& t : local_row(i)) columns.push_back(t.column);
      a.add_row(columns);
    }
    return a;
  }

  int columns_;
  std::vector<IntegerRow> rows_;
  std::vector<std::vector<int>> users_;  // by column: rows
  std::vector<char> left_;               // by row
  std::vector<int> local_;               // by column: its number within its part
};

}  // namespace

std::vector<VanishingSum> hidden_dependencies(std::span<const IntegerRow> rows, int columns) {
  return HiddenDependencies(rows, columns).find();
}

}  // namespace arges::structure
