#include "argesim/ses_mb_ea/model.h"

#include "arges/base/error.h"
#include "arges/process/resource.h"
#include "arges/process/world.h"

namespace arges::argesim::ses {

namespace {

using process::Process;
using process::World;

class JobShop : public ProcessScene {
 public:
  JobShop(World& world, const ParameterValues& values)
      : world_(world),
        period_(values["period"]),
        first_time_(values["T0"]),
        second_time_(values["T"]),
        first_(world, "Server0"),
        second_(world, "Servers", values.integer("servers")) {
    world_.start(source(world_), "Source", {.daemon = true});
  }

  void watch(process::ResultRecorder& recorder) override {
    recorder.watch({"jobs", "", "handled until now", ValueType::kInteger},
                   [this] { return static_cast<double>(jobs_); });
    recorder.watch({"waiting1", "", "in Queue1", ValueType::kInteger},
                   [this] { return static_cast<double>(first_.line().size()); });
    recorder.watch({"waiting2", "", "in Queue2", ValueType::kInteger},
                   [this] { return static_cast<double>(second_.line().size()); });
    recorder.watch({"busy", "", "servers at work", ValueType::kInteger},
                   [this] { return static_cast<double>(second_.in_use()); });
  }
  std::vector<NamedValue> summary() const override {
    const double end = world_.now();
    const auto mean = [&](const random::TimeWeighted& each) {
      return end > 0 ? each.integral(end) / end : 0.0;
    };
    return {{"mean_queue1", mean(first_.length()), ValueType::kReal},
            {"mean_queue2", mean(second_.length()), ValueType::kReal},
            {"mean_idle", second_.capacity() - mean(second_.usage()), ValueType::kReal}};
  }

 private:
  Process source(World& world) {
    for (;;) {
      world.start(job(world), "job", {.daemon = true});
      co_await process::delay(period_);
    }
  }
  Process job(World&) {
    co_await first_.acquire();
    co_await process::delay(first_time_);
    first_.release();
    co_await second_.acquire();
    co_await process::delay(second_time_);
    second_.release();
    ++jobs_;
  }

  World& world_;
  double period_, first_time_, second_time_;
  process::Resource first_, second_;
  std::int64_t jobs_ = 0;
};

}  // namespace

std::unique_ptr<DiscreteModel> make_model() {
  DiscreteModel::Info info;
  info.name = "ses-mb-ea";
  info.description = "job shop with a variable number of servers";
  info.parameters = {
      {"period", 10, 1, "s", "time between jobs"},
      {"servers", 7, 1, "", "number of servers side by side", ValueType::kInteger},
      {"T0", 10, 1, "s", "handling time of the first server"},
      {"T", 70, 1, "s", "handling time of the others"},
  };
  info.experiment.stop_time = 3600;
  return std::make_unique<ProcessModel>(
      std::move(info), [](World& world, const ParameterValues& values) {
        if (!(values["period"] > 0) || values["servers"] < 1 || values["T0"] < 0 || values["T"] < 0)
          throw UserError(
              "ses-mb-ea: the period is positive, there is one server at least, and no handling "
              "time is negative");
        return std::make_unique<JobShop>(world, values);
      });
}

}  // namespace arges::argesim::ses
