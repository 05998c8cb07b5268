#pragma once
// Which equations tick together, and when.

#include <unordered_map>
#include <vector>

#include "arges/causalize/clock_system.h"
#include "arges/flat/flat_model.h"

namespace arges {

enum class ClockOperator : std::uint8_t {
  kNone,
  kSample,       // u [, clock]
  kHold,         // u
  kPrevious,     // variable
  kSubSample,    // u or a clock, factor; 0: to be inferred
  kSuperSample,  //
  kShiftSample,  // u or a clock, counter, resolution
  kBackSample,   //
  kNoClock,      // u
  kInterval,     // [u]
  kFirstTick,    // [u]
  kInferred,     // Clock()
  kRational,     // Clock(counter, resolution)
  kPeriodic,     // Clock(interval)
  kEvent,        // Clock(condition, start interval)
  kVarying,      // Clock(interval) or Clock(counter, resolution) that change from tick to tick
  kSolver,       // Clock(c, solver method): a ClockSolver
};

// How equations that tick integrate der(x), h = interval():
//   x = previous(x) + h*previous(der(x)),   x = previous(x) + h*der(x),
//   x = previous(x) + h*(previous(der(x)) + der(x))/2
// and those of clock_stages.h.
enum class ClockSolver : std::uint8_t {
  kNone,
  kExplicitEuler,
  kImplicitEuler,
  kTrapezoid,
  kMidPoint2,
  kRungeKutta4,
};

// An equation (or assertion) as it stands in the text of the flat model.
struct ClockedRow {
  ExprId lhs, rhs;
  Origin origin;
  bool defines = false;
  int node = -1;
};

// Variables that stand in one equation belong to one partition, unless an operator that changes the
// clock is between them: sample, hold, subSample and the like. What is inside of such an operator
// is a fragment, which belongs to the partition of its variables. A partition is clocked when one
// of these operators says so; all others are continuous.
//
// Nodes of a union-find structure: the variables, then equations and fragments.
class ClockPartitions {
 public:
  struct BaseClock {
    ClockOperator kind = ClockOperator::kPeriodic;
    Ratio period;       // kRational
    ExprId interval;    // kPeriodic; kEvent: before the first tick; kVarying: times the resolution
    ExprId condition;   // kEvent
    ExprId resolution;  // kVarying
  };

  explicit ClockPartitions(FlatModel& flat);

  // Whether the model has clocks at all.
  bool any() const { return any_; }
  ClockOperator operation(ExprId result) const;
  // The arguments of an operator, given its result.
  std::vector<ExprId> arguments(ExprId result) const;
  bool is_clock(ExprId e) const;
  bool varies(VarId v) const;

  int new_node();
  void scan(ExprId root, int node);
  void join(VarId v, int node);
  // The number of the clock that an expression means: each Clock() is one of its own.
  int clock_of(ExprId e);
  // The partition ticks with this clock.
  void associate(int node, int clock);
  void equal(ExprId clock, ExprId other) { clocks_.equal(clock_of(clock), clock_of(other)); }
  // After all scans: finds the clocks.
  void solve();

  int root(int node);
  int root_of(VarId v) { return root(v.index); }
  int root_of_fragment(ExprId u) { return root(fragments_.at(u.index)); }
  bool is_clocked(int root) const { return clock_of_root_.count(root) > 0; }
  // The clock of a clocked partition. Throws UserError when it is not known.
  ClockSystem::Position position(int root);
  // That of the base clock, and of all clocks made from it.
  ClockSolver solver(int root);
  const std::vector<BaseClock>& bases() const { return bases_; }

 private:
  struct Link {
    int from, to;
    Ratio factor, shift;
  };
  void scan_operator(ClockOperator op, ExprId result, int node);
  int fragment(ExprId u);
  // What an operator does to a clock; nothing when the factor is to be inferred.
  std::optional<std::pair<Ratio, Ratio>> change(ClockOperator op, ExprId result) const;

  FlatModel& flat_;
  bool any_ = false;
  std::vector<ClockOperator> operator_of_;  // by function
  std::vector<int> parent_;
  std::vector<int> clocked_nodes_;
  std::unordered_map<std::int32_t, int> fragments_, clock_ids_, clock_of_root_;
  std::vector<std::pair<int, int>> associations_;  // node, clock
  std::vector<Link> links_;                        // between nodes
  std::vector<BaseClock> bases_;
  std::vector<std::pair<int, ClockSolver>> solvers_;  // by clock
  ClockSystem clocks_;
};

}  // namespace arges
