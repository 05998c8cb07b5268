#include "arges/driver/discrete_contest.h"

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/driver/discrete_study.h"
#include "arges/experiment/jumps.h"
#include "arges/results/tee_sink.h"

namespace arges {

ContestModel contest_model(const DiscreteModel& model, const ParameterValues& values,
                           const RunOptions& options) {
  if (!model.has_continuous_parts())
    throw UserError(
        fmt::format("'{}' is a discrete-event model: it has no equations, and no solvers that "
                    "could be compared",
                    model.info().name),
        {"model"});
  const ResultLayout layout = columns_of(model, values, options);
  ContestModel contest;
  for (const Column& each : layout.columns) contest.names.push_back(each.name);
  contest.sample = [&model, &values, layout, names = contest.names](
                       const RunOptions& how, const std::vector<double>& times) {
    std::vector<Observable> observables;
    for (const double time : times) {
      for (const std::string& name : names) {
        Observable& value = observables.emplace_back();
        value.text = name;
        value.kind = Observable::Kind::kAt;
        value.formula = Formula::leaf(name);
        value.time = time;
      }
    }
    Observer observer(std::move(observables), layout, how, Observer::Rows::kHeld);
    RunOptions noted = how;
    noted.interval = 0;
    noted.rows_at = times;
    observer.start_run();
    JumpRecorder jumps(names);
    TeeSink both;
    both.add(observer);
    both.add(jumps);
    ContestModel::Outcome outcome;
    outcome.result = model.run({noted, values, both, true, false}).result;
    outcome.values = observer.values(outcome.result);
    outcome.jumps = jumps.times();
    outcome.events = jumps.events();
    return outcome;
  };
  contest.prepare = [&model, &values](const RunOptions& how) {
    return [&model, &values, how] {
      TeeSink nowhere;
      model.run({how, values, nowhere, false, false});
    };
  };
  return contest;
}

}  // namespace arges
