#include "argesim/a1_integrator/model.h"

#include "arges/base/error.h"
#include "arges/devs/observer.h"

namespace arges::argesim::a1 {

namespace {

using devs::Transition;

class TableObserver : public devs::Observer {
 public:
  void on_transition(const devs::Simulator&, const devs::TransitionEvent& event) override {
    if (dynamic_cast<const Integrator*>(&event.model) == nullptr) return;
    const auto& s = *static_cast<const Integrator::State*>(event.state);
    rows.push_back({event.time, s.q, s.rate, s.sigma, event.kind});
  }
  std::vector<Row> rows = {{0, 0, 0, devs::kInfinity, Transition::kInitial}};
};

}  // namespace

std::vector<Row> table_a1() {
  return {{0, 0, 0, devs::kInfinity, Transition::kInitial},
          {1, 0, 5, 0, Transition::kExternal},
          {1, 0, 5, 0.2, Transition::kInternal},
          {1.2, 1, 5, 0.2, Transition::kInternal},
          {1.4, 2, 5, 0.2, Transition::kInternal},
          {1.6, 3, 5, 0.2, Transition::kInternal},
          {1.8, 4, 5, 0.2, Transition::kInternal},
          {2, 5, 2, 0.5, Transition::kConfluent},
          {2.5, 6, 2, 0.5, Transition::kInternal},
          {3, 7, 2, 0.5, Transition::kInternal},
          {3.5, 8, 2, 0.5, Transition::kInternal},
          {4, 9, 2, 0.5, Transition::kInternal},
          {4.1, 9.2, 6, 0, Transition::kExternal},
          {4.1, 9.2, 6, 1. / 6, Transition::kInternal},
          {64. / 15, 10.2, 6, 1. / 6, Transition::kInternal}};
}

std::vector<Row> transitions(const devs::SimulatorOptions& options) {
  const Experiment model;
  devs::Simulator simulator(model, options);
  TableObserver observer;
  simulator.set_observer(&observer);
  const RunStatus status = simulator.run_until(4.3);
  if (!status.ok()) throw EvaluationError("devs-a1: " + status.message);
  return observer.rows;
}

Experiment::Experiment(double resolution) : integrator(add<Integrator>("integrator", resolution)) {
  const auto& schedule =
      add<Schedule>("schedule", std::vector<Schedule::Entry>{{1, 5}, {2, 2}, {4.1, 6}});
  couple(schedule.out, integrator.rate);
}

std::unique_ptr<DiscreteModel> make_model() {
  DiscreteModel::Info info;
  info.name = "devs-a1";
  info.description = "integrator of a piecewise constant rate, as a DEVS model";
  info.parameters = {{"D", 1, 1, "", "resolution of the output"}};
  info.experiment.stop_time = 4.3;
  return std::make_unique<DevsModel>(std::move(info), [](const ParameterValues& values) {
    return std::make_unique<Experiment>(values["D"]);
  });
}

}  // namespace arges::argesim::a1
