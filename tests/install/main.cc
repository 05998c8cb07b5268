// A model of one's own, run with the installed library: a falling ball that bounces.
#include <cmath>
#include <cstdio>

#include "arges/hybrid/simulator.h"
#include "arges/hybrid/update.h"

namespace {

class Ball : public arges::HybridSystem {
 public:
  Ball() : HybridSystem("ball") {}

  void derivatives(const arges::Point& at, arges::Rates xdot) const override {
    xdot[h_] = at[v_];
    xdot[v_] = -at[g_];
  }
  void conditions(const arges::Point& at, arges::Conditions c) const override {
    c[bounce_] = at[h_];
  }
  void on_event(arges::EventId, arges::Update& now) const override {
    now[h_] = 0;
    now[v_] = -now[e_] * now.pre(v_);
  }

 private:
  arges::ParameterId g_ = declare_parameter("g", 9.81, "m/s2");
  arges::ParameterId e_ = declare_parameter("e", 0.8);
  arges::StateId h_ = declare_state("h", 1, "m");
  arges::StateId v_ = declare_state("v", 0, "m/s");
  arges::EventId bounce_ = declare_event("bounce", arges::Direction::kFalling);
};

}  // namespace

int main() {
  const Ball ball;
  bool good = true;
  // One solver of our own, and one of each library that must have been found and linked.
  for (const char* solver : {"dopri5", "rodas5p", "cvode-bdf", "ida", "arkode-erk"}) {
    arges::RunOptions options;
    options.solver = solver;
    options.numerics.rtol = 1e-9;
    options.stop_time = 1;
    const arges::RunResult run = arges::simulate(ball, options);
    // The first bounce is at sqrt(2 h / g), with speed sqrt(2 g h); then it flies freely.
    const double t1 = std::sqrt(2 / 9.81);
    const double v1 = 0.8 * std::sqrt(2 * 9.81);
    const double h = v1 * (1 - t1) - 9.81 / 2 * (1 - t1) * (1 - t1);
    const double error = run.final.x[0] - h;
    std::printf("%-10s %d event, h(1) = %.9f, error %.1e\n", solver, static_cast<int>(run.events),
                run.final.x[0], error);
    good = good && run.status.ok() && run.events == 1 && std::fabs(error) < 1e-7;
  }
  return good ? 0 : 1;
}
