#pragma once
// A point of an optimisation with what is known around it.

#include <map>
#include <vector>

#include <Eigen/Core>

#include "arges/experiment/ledger.h"
#include "arges/experiment/optimise.h"

namespace arges {

// Steps are of the variables that a local method may change, as parts of their ranges, and end at
// the bounds. Numbers are those of an appraisal: the objective, not a number where it has none,
// then h, then g. Each point is asked for once; all may throw SearchEnded.
class Neighbourhood {
 public:
  static constexpr double kSlopeSize = 1e-3;  // of steps that tell slopes

  // Around the best point of the ledger, which has one.
  Neighbourhood(Ledger& ledger, const OptimiseRequest& request);

  const std::vector<double>& here() const { return here_; }
  std::size_t dimensions() const { return free_.size(); }
  std::vector<double> moved(const Eigen::VectorXd& step) const;
  Eigen::VectorXd step_to(const std::vector<double>& there) const;
  Eigen::VectorXd axis(std::size_t variable, double length) const;

  const Eigen::VectorXd& numbers_at(const std::vector<double>& unit);
  const Eigen::VectorXd& values() { return numbers_at(here_); }
  // The best point with a value that satisfies the constraints, and its value.
  const std::vector<double>& best() const { return best_; }
  double best_value() const { return best_value_; }

  // Slopes, and which constraints are active by them; before all that follows.
  void differentiate();
  // Where the objective falls most steeply, of the directions that do not leave bounds and active
  // constraints, as far as slopes tell; zero where it does not fall.
  Eigen::VectorXd descent() const;
  // An orthonormal basis of the directions in which active constraints do not change.
  Eigen::MatrixXd tangent_space() const;
  // The numbers at a step from here, led back to the constraints.
  Eigen::VectorXd restored(const Eigen::VectorXd& step);
  bool satisfies(const Eigen::VectorXd& numbers) const;

 private:
  Eigen::Index constraints() const;
  bool is_equality(Eigen::Index constraint) const;
  void find_slopes();
  void choose_active();

  Ledger& ledger_;
  const OptimiseRequest& request_;
  const std::vector<double> here_;
  std::vector<std::size_t> free_;
  Eigen::MatrixXd slopes_;            // a row for each number
  std::vector<Eigen::Index> active_;  // rows of constraints
  std::map<std::vector<double>, Eigen::VectorXd> known_;
  std::vector<double> best_;
  double best_value_ = 0;
};

}  // namespace arges
