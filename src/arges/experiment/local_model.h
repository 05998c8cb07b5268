#pragma once
// Objective and constraints around a point: values, slopes and curvatures by differences.

#include <vector>

#include <Eigen/Core>

#include "arges/experiment/ledger.h"
#include "arges/experiment/optimise.h"

namespace arges {

// The numbers are the objective, then h, then g, the constraints in units of their own; the
// variables those of the unit cube that are free: neither whole numbers nor at a bound.
class LocalModel {
 public:
  LocalModel(Ledger& ledger, const OptimiseRequest& request)
      : ledger_(ledger),
        request_(request),
        numbers_(1 + request.equalities + request.inequalities) {}

  // Values and slopes at a point, and curvatures, which are found also when other variables are
  // free than before; returns whether they were. Throws SearchEnded.
  bool differentiate(const std::vector<double>& unit, bool curvatures);

  std::size_t numbers() const { return numbers_; }
  const std::vector<std::size_t>& free() const { return free_; }
  const Eigen::VectorXd& values() const { return values_; }
  const Eigen::MatrixXd& slopes() const { return slopes_; }  // a row for each number
  const Eigen::MatrixXd& curvature(std::size_t number) const { return curvatures_[number]; }
  bool is_equality(std::size_t number) const { return number > 0 && number <= request_.equalities; }
  // How much a number changes over a range, by its slopes; 1 where it has none.
  double steepness(std::size_t number) const;

 private:
  Eigen::VectorXd all_of(const std::vector<double>& unit);
  void find_free();
  std::vector<double> moved(std::size_t i, double by) const;
  double inside(std::size_t i) const;
  std::vector<double> across(std::size_t i, std::size_t j, double sign) const;
  bool has_both_sides(std::size_t i, std::size_t j) const;
  void mix(Eigen::Index a, Eigen::Index b);

  Ledger& ledger_;
  const OptimiseRequest& request_;
  std::size_t numbers_;
  std::vector<double> here_;
  std::vector<std::size_t> free_;
  Eigen::VectorXd values_;
  Eigen::MatrixXd slopes_;
  std::vector<Eigen::MatrixXd> curvatures_;
};

}  // namespace arges
