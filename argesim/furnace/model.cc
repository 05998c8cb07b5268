#include "argesim/furnace/model.h"

#include <cmath>
#include <string>

namespace arges::argesim::furnace {

double residence_time() {
  return kTimeConstant * std::log((kFurnaceTemperature - kCold) / (kFurnaceTemperature - kHot));
}

Furnace::Furnace(double period) : mean(add<Mean>("mean")), period_(period) {
  couple(mean.out, mean_temperature);
}

void Furnace::internal(State& s, devs::Structure& now) const {
  const int number = s.created++;
  s.wait = period_;
  const auto& piece = now.add<Workpiece>("piece[" + std::to_string(number) + "]", number);
  now.couple(piece.finished, finished);
  now.couple(piece.temperature, mean.in);
}

void Furnace::external(State& s, double elapsed, const devs::Bag& x, devs::Structure& now) const {
  s.wait -= elapsed;
  for (const int number : x.on(finished)) {
    s.finish_times.push_back(now.time());
    now.remove(now.get<Workpiece>("piece[" + std::to_string(number) + "]"));
  }
}

void Furnace::record(const State& s, devs::StateRecorder& r) const {
  const int done = static_cast<int>(s.finish_times.size());
  r.value("created", s.created);
  r.value("finished", done);
  r.value("inside", s.created - done, "", "workpieces in the furnace");
}

Plant::Plant(double period, double thermometer_time)
    : furnace(add<Furnace>("furnace", period)),
      thermometer(add<Thermometer>("thermometer", thermometer_time)) {
  couple(furnace.mean_temperature, thermometer.in);
}

std::unique_ptr<DiscreteModel> make_model() {
  DiscreteModel::Info info;
  info.name = "furnace";
  info.description = "workpieces that come, get hot and go: hybrid DEVS";
  info.parameters = {{"period", 10, 1, "s", "between workpieces"},
                     {"tau", 5, 1, "s", "of the thermometer"}};
  info.experiment.stop_time = 100;
  info.experiment.rtol = 1e-8;
  return std::make_unique<HybridDevsModel>(std::move(info), [](const ParameterValues& values) {
    return std::make_unique<Plant>(values["period"], values["tau"]);
  });
}

}  // namespace arges::argesim::furnace
