#pragma once
// The quantised-state methods QSS1 to QSS3 and LIQSS1 to LIQSS3.

#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "arges/qss/quantised_equations.h"

namespace arges {

// dQ_i = max(relative * |q_i|, absolute * nominal_i).
struct QuantumOptions {
  double relative = 0;
  double absolute = 1e-6;
  std::span<const double> nominal;  // empty: all 1
  bool measures_activity = false;
  // Rates that depend on time are looked at again at least this often.
  double longest_look = std::numeric_limits<double>::infinity();
  // Conditions look at the states, and may multiply what is much less than a quantum: stiff states
  // are nearer to where their rates send them.
  bool watched = false;
};

enum class QuantisedMethod { kQss1, kQss2, kQss3, kLiqss1, kLiqss2, kLiqss3 };

// Integrates x' = f(t, x) by events. Each state x_i has a quantised companion q_i, a polynomial one
// degree lower, and f sees only the companions: x_i' = f_i(t, q). So x_i is a polynomial, too,
// until one of the q that f_i reads changes. The order is the number of coefficients of q_i.
//
//   QSS    q_i is the Taylor polynomial of x_i, and is renewed when |x_i - q_i| = dQ_i.
//          QSS1 moves q_i by whole quanta; with a fixed quantum its levels are start + k dQ
//          exactly.
//   LIQSS  x_i follows its own linear equation exactly, x_i' = a x_i + u, a = df_i/dx_i,
//          u = f_i - a q_i (relaxation.h): a stiff state comes to rest by itself. q_i is the
//          polynomial part of the solution when x_i is near it, and else the best approximation in
//          the mean of x_i over the next step: of a polynomial, or of an exponential when it is
//          stiff (approach() in cell.h). It is renewed when
//          |x_i - q_i| = dQ_i. a comes from the change of f_i when q_i changes.
//          Two states that are stiff together move at once, by their modes (pair.h).
//
//   run(limit):
//     while the first scheduled time t is not after limit:
//       i = its variable; move x_i to t; renew q_i
//       QSS: so with all others that are scheduled at t
//       for all rows r that read them: f_r anew (one call for all of them); move x_r to t
//                                      schedule r when |x_r - q_r| will reach its bound
//
// QSS moves all variables that are due at once together, as Parallel DEVS does: what is symmetric
// stays so, and the numbers of the variables do not matter. Times that rounding may have kept apart
// are the same time, when nothing is missing to a whole quantum by then. LIQSS moves one after the
// other: who is second sees where the first, with which it may be stiff, has gone.
//
// A rate that depends on time explicitly is renewed at intervals of its own. At the begin of each
// the polynomial is compared with the rate at its end and in its middle, along the quantised
// states, and the interval is shortened until they agree: a rate may jump in time without an event.
// Two jumps that undo each other between the places that were looked at are not seen.
//
// Nothing is allocated after the first moves of a variable. Ties of LIQSS go in an order that
// depends on the equations and the past only. Work and memory are in proportion to the moves, not
// to the states: untouched states cost nothing, when started by start_sparse().
class QuantisedIntegrator {
 public:
  enum class Outcome {
    kLimit,      // the next move is after the limit (or at it)
    kMoves,      // as many moves as allowed
    kNonFinite,  // the rate of culprit() is NaN or infinite
    kStuck,      // moves without end at one time; culprit() is one who moves
  };

  virtual ~QuantisedIntegrator() = default;

  virtual void start(double t, const double* x) = 0;
  // From a state that is zero and at rest but for the given variables: f must vanish wherever only
  // zeros are read.
  virtual void start_sparse(double t, std::span<const int> variables, const double* x) = 0;
  // After an event: all rates are computed anew. A variable whose x is the same as dense output
  // gives keeps its quantised state. `at_states`: the companions of linearly implicit states that
  // are not at rest begin where the states are, which otherwise are up to 0.4 quanta away.
  virtual void resume(double t, const double* x, bool at_states) = 0;
  // From the next moves on, all quanta are this part of what the options say.
  virtual void take_part_of_quanta(double part) = 0;
  // Executes moves before `limit`, at most `moves` of them. May throw EvaluationError.
  virtual Outcome run(double limit, std::int64_t moves) = 0;

  virtual double next_time() const = 0;
  // Dense output for a t between the last move and the next one.
  virtual double value(int i, double t) const = 0;
  virtual void values(double t, double* x) const = 0;
  // Statistics of one variable since the start: how often q_i was renewed, and the integral of
  // |x_i'| until t, as in value().
  virtual std::int64_t moves_of(int i) const = 0;
  virtual double activity_of(int i, double t) const = 0;

  double last_move() const { return t_; }
  int culprit() const { return culprit_; }
  std::int64_t moves() const { return moves_; }
  // Of QSS: moves to the other side than the same state's move before. A state that goes somewhere
  // turns seldom; a stiff one, which QSS keeps busy around its rest, nearly always.
  std::int64_t turns() const { return turns_; }
  std::int64_t rows_evaluated() const { return rows_evaluated_; }
  std::int64_t series_calls() const { return series_calls_; }

 protected:
  double t_ = 0;
  int culprit_ = -1;
  std::int64_t moves_ = 0, turns_ = 0, rows_evaluated_ = 0, series_calls_ = 0;
};

std::unique_ptr<QuantisedIntegrator> make_quantised_integrator(QuantisedMethod method,
                                                               const QuantisedEquations& equations,
                                                               const QuantumOptions& options);

}  // namespace arges
