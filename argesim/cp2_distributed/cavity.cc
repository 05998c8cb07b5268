#include "argesim/cp2_distributed/cavity.h"

#include <algorithm>
#include <array>
#include <barrier>
#include <chrono>
#include <cmath>
#include <thread>

namespace arges::argesim::cp2 {

namespace {

constexpr int kDirections = 9;
constexpr std::array<int, kDirections> kEx = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constexpr std::array<int, kDirections> kEy = {0, 0, 1, 0, -1, 1, 1, -1, -1};  // up
constexpr std::array<int, kDirections> kOpposite = {0, 3, 4, 1, 2, 7, 8, 5, 6};
constexpr std::array<double, kDirections> kWeights = {
    4.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};
using Populations = std::array<double, kDirections>;

class Lattice {
 public:
  Lattice(const Cavity& cavity, int threads)
      : n_(cavity.cells),
        lid_(cavity.lid_speed),
        rate_(1 / (0.5 + 3 * (cavity.cells - 1) * cavity.lid_speed / cavity.reynolds)),
        threads_(std::clamp(threads, 1, cavity.cells)),
        meeting_(threads_) {
    const std::size_t size = static_cast<std::size_t>(n_) * n_;
    for (auto& side : after_collision_) side.assign(size, kWeights);
    flow_.cells = n_;
    flow_.x.resize(size);
    flow_.y.resize(size);
  }

  Flow run(int iterations) {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> others;
    for (int k = 1; k < threads_; ++k) others.emplace_back([=, this] { work(k, iterations); });
    work(0, iterations);
    for (std::thread& each : others) each.join();
    flow_.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return std::move(flow_);
  }

 private:
  // One pass does the motion of the iteration before and the collision of this one: it reads one
  // side and writes the other.
  void work(int thread, int iterations) {
    const int begin = thread * n_ / threads_, end = (thread + 1) * n_ / threads_;
    for (int k = 0; k < iterations; ++k) {
      const std::vector<Populations>& from = after_collision_[k % 2];
      std::vector<Populations>& to = after_collision_[1 - k % 2];
      for (int row = begin; row < end; ++row) {
        for (int column = 0; column < n_; ++column) {
          // The first iteration begins with a collision; what moves before it is alike everywhere.
          Populations f = arriving(from, row, column);
          collide(f, row, column, k + 1 == iterations);
          to[static_cast<std::size_t>(row) * n_ + column] = f;
        }
      }
      if (threads_ > 1) meeting_.arrive_and_wait();
    }
  }

  bool inside(int row, int column) const {
    return row > 0 && row < n_ - 1 && column > 0 && column < n_ - 1;
  }

  Populations arriving(const std::vector<Populations>& from, int row, int column) const {
    const Populations* here = &from[static_cast<std::size_t>(row) * n_ + column];
    Populations f;
    if (inside(row, column)) {
      for (int i = 0; i < kDirections; ++i) f[i] = here[kEy[i] * n_ - kEx[i]][i];
      return f;
    }
    for (int i = 0; i < kDirections; ++i) {
      const int source_row = row + kEy[i], source_column = column - kEx[i];
      const bool exists =
          source_row >= 0 && source_row < n_ && source_column >= 0 && source_column < n_;
      f[i] = exists ? here[kEy[i] * n_ - kEx[i]][i] : (*here)[i];
    }
    return f;
  }

  void collide(Populations& f, int row, int column, bool last) {
    double rho = 0, x = 0, y = 0;
    for (int i = 0; i < kDirections; ++i) {
      rho += f[i];
      x += f[i] * kEx[i];
      y += f[i] * kEy[i];
    }
    const bool is_lid = row == 0;
    x = is_lid ? lid_ : x / rho;
    y = is_lid ? 0 : y / rho;
    if (last) {
      const std::size_t cell = static_cast<std::size_t>(row) * n_ + column;
      flow_.x[cell] = x / lid_;
      flow_.y[cell] = y / lid_;
    }
    if (!is_lid && !inside(row, column)) {
      const Populations before = f;
      for (int i = 0; i < kDirections; ++i) f[i] = before[kOpposite[i]];
      return;
    }
    const double rest = 1 - 1.5 * (x * x + y * y), rate = is_lid ? 1 : rate_;
    for (int i = 0; i < kDirections; ++i) {
      const double along = kEx[i] * x + kEy[i] * y;
      const double equilibrium = kWeights[i] * rho * (rest + 3 * along + 4.5 * along * along);
      f[i] += rate * (equilibrium - f[i]);
    }
  }

  int n_;
  double lid_, rate_;
  int threads_;
  std::barrier<> meeting_;
  std::array<std::vector<Populations>, 2> after_collision_;
  Flow flow_;
};

}  // namespace

double Flow::mean_inside() const {
  double sum = 0;
  for (int row = 1; row < cells - 1; ++row) {
    for (int column = 1; column < cells - 1; ++column)
      sum += std::hypot(x_at(row, column), y_at(row, column));
  }
  return sum / ((cells - 2.0) * (cells - 2.0));
}

Flow simulate(const Cavity& cavity, int iterations, int threads) {
  return Lattice(cavity, threads).run(iterations);
}

}  // namespace arges::argesim::cp2
