#pragma once
// What of a flat model ticks, as it stands in the text.

#include <string>
#include <utility>
#include <vector>

#include "arges/causalize/clock_partitions.h"

namespace arges {

struct ClockedText {
  std::vector<ClockedRow> rows;                     // all equations but those of clocks
  std::vector<std::pair<FlatAssert, int>> asserts;  // with their nodes
  std::vector<int> when_nodes;                      // of the ordinary when-clauses that are left
};

// Takes the equations apart: those of clocks, those in `when clock`, all others. Of the model the
// ordinary when-clauses are left.
ClockedText take_apart(FlatModel& flat, ClockPartitions& partitions);

[[noreturn]] void refuse_clocked(const ExprPool& pool, const std::string& what,
                                 const Origin& origin);

}  // namespace arges
