#include <cmath>

#include <fmt/format.h>

#include "arges/driver/model_text.h"
#include "argesim/benchmarks.h"
#include "argesim/c18_neural/plant.h"
#include "argesim/common/experiment.h"
#include "argesim/embedded.h"

namespace arges::argesim {

namespace {

using enum ReferenceSource;
using namespace c18;

constexpr const char* kText = "argesim/c18_neural/NeuralPlant.mo";

// The data set of the definition was not recovered: all values are of a stand-in.
struct Sample {
  int k;
  double y;
};
constexpr Sample kSampled[] = {{10, 0.115287276816288},
                               {100, -0.248037480163391},
                               {1000, 0.944481294328509},
                               {1999, -0.531938495037524}};
constexpr double kTheta[] = {1.918873691182, -0.928249536476, 0.004853115771, 0.004092229339,
                             0.000671726771};
constexpr double kStepError = 0.001783167095, kFreeTraining = 0.091852080458,
                 kFreeValidation = 0.138417391115, kDeviation = 0.535275863238;
constexpr double kPass = 0.05;  // of the free run on the validation part

void data(const Record& record, BenchmarkReport& report) {
  report.begin_task("data", "The process, recorded");
  for (const Sample& each : kSampled)
    report.compare(fmt::format("y[{}]", each.k), record.y[static_cast<std::size_t>(each.k)], each.y,
                   1e-14, kAssumed);
  const auto plant = text_model(kText, "NeuralPlant.Plant");
  RunOptions how = options("dop853", 1e-12, (kSamples - 1) * kPeriod);
  how.interval = kPeriod;
  const Recording run_of_text = run(*plant, how);
  report.compare("y[1999] of the text, integrated, minus the exact solution",
                 run_of_text.final("y") - record.y.back(), 0, 1e-10, kReference);
}

std::vector<double> linear(const Record& record, BenchmarkReport& report) {
  report.begin_task("a", "Transfer function: ARX by least squares");
  const Linear theta = fit_linear(record);
  for (std::size_t i = 0; i < theta.size(); ++i)
    report.compare(fmt::format("theta{}", i + 1), theta[i], kTheta[i], 1e-11, kAssumed);
  const auto next = [&](double y1, double y2, double u1, double u2) {
    return step(theta, y1, y2, u1, u2);
  };
  double squares = 0;
  for (std::size_t k = 2; k < kTraining; ++k)
    squares += std::pow(
        next(record.y[k - 1], record.y[k - 2], record.u[k - 1], record.u[k - 2]) - record.y[k], 2);
  report.compare("one step, training", std::sqrt(squares / (kTraining - 2)), kStepError, 1e-11,
                 kAssumed);
  std::vector<double> y = free_run(record, kSamples, next);
  report.compare("free run, training", distance(y, record.y, 0, kTraining), kFreeTraining, 1e-9,
                 kAssumed);
  report.compare("free run, validation", distance(y, record.y, kTraining, kSamples),
                 kFreeValidation, 1e-9, kAssumed);
  double mean = 0;
  for (std::size_t k = kTraining; k < kSamples; ++k) mean += record.y[k] / (kSamples - kTraining);
  report.compare("deviation of y, validation",
                 distance(record.y, std::vector<double>(kSamples, mean), kTraining, kSamples),
                 kDeviation, 1e-9, kAssumed);
  return y;
}

// The trained net as a block of a model in text.
std::string text_with_net(const NetModel& model, const Record& record) {
  return std::string(embedded_text(kText)) +
         model.net.modelica_text("net", {"y1", "change", "u1", "u2"}) +
         fmt::format(
             "model NetRun\n"
             "  discrete Real s(start=12345, fixed=true), k(start=-1, fixed=true);\n"
             "  discrete Real u(start=0, fixed=true), u1(start=0, fixed=true), u2(start=0, "
             "fixed=true);\n"
             "  discrete Real y(start=0, fixed=true), y1(start=0, fixed=true);\n"
             "equation\n"
             "  when sample(0, {}) then\n"
             "    k = pre(k) + 1;\n"
             "    s = if mod(k, {}) < 0.5 then NeuralPlant.draw(pre(s)) else pre(s);\n"
             "    u = -1 + s/1073741824;\n"
             "    u1 = pre(u);\n"
             "    u2 = pre(u1);\n"
             "    y1 = pre(y);\n"
             "    y = if k < 0.5 then {:.17g} elseif k < 1.5 then {:.17g}\n"
             "      else y1 + {:.17g}*net(y1, y1 - pre(y1), u1, u2);\n"
             "  end when;\n"
             "end NetRun;\n",
             kPeriod, kHold, record.y[0], record.y[1], NetModel::kScale);
}

std::vector<double> net(const Record& record, BenchmarkReport& report) {
  report.begin_task("b", "A net of 8 units on the same regressors");
  const NetModel model = fit_net(record);
  std::vector<double> y = free_run(
      record, kSamples,
      [&](double y1, double y2, double u1, double u2) { return model.next(y1, y2, u1, u2); });
  report.compare("free run, training, at most 0.05", distance(y, record.y, 0, kTraining), 0, kPass,
                 kAssumed);
  report.compare("free run, validation, at most 0.05", distance(y, record.y, kTraining, kSamples),
                 0, kPass, kAssumed);
  const auto in_text = model_from_text("NetRun", text_with_net(model, record), "NetRun");
  const Recording result = run(*in_text, options("dop853", 1e-9, (kSamples - 1) * kPeriod));
  report.compare("the net as a block of a model in text, y[1999], minus C++",
                 result.final("y") - y.back(), 0, 1e-9, kReference);
  return y;
}

std::vector<double> wiener(const Record& record, BenchmarkReport& report) {
  report.begin_task("c", "A linear model, and a net on its output (Wiener)");
  const WienerModel model = fit_wiener(record);
  std::vector<double> y = model.run(record, kSamples);
  report.compare("free run, training, at most 0.05", distance(y, record.y, 0, kTraining), 0, kPass,
                 kAssumed);
  report.compare("free run, validation, at most 0.05", distance(y, record.y, kTraining, kSamples),
                 0, kPass, kAssumed);
  // The linear part is that of the plant: 2 exp(-0.04) cos(0.1 sqrt(0.84)), -exp(-0.08).
  const double decay = std::exp(-0.4 * kPeriod);
  report.compare("t1", model.linear[0], 2 * decay * std::cos(kPeriod * std::sqrt(0.84)), 1e-3,
                 kReference);
  report.compare("t2", model.linear[1], -decay * decay, 1e-3, kReference);
  return y;
}

}  // namespace

Benchmark neural_benchmark() {
  return {
      "C18", "Neural Networks versus Transfer Functions", "argesim/c18_neural/lesson.md",
      [](BenchmarkReport& report) {
        const Record record = recorded();
        data(record, report);
        const std::vector<double> of_linear = linear(record, report), of_net = net(record, report),
                                  of_wiener = wiener(record, report);
        std::vector<std::vector<std::string>> rows = {{"model", "training", "validation"}};
        plot::Figure figure =
            plot::make_stack("Three models, running freely", {"t", "s"}, {{"y"}, {"difference"}});
        std::vector<double> t, measured;
        for (int k = kTraining; k < kTraining + 400; ++k) {
          t.push_back(k * kPeriod);
          measured.push_back(record.y[static_cast<std::size_t>(k)]);
        }
        figure.panels[0].add(plot::points(t, measured, "recorded"));
        const auto show = [&](const char* name, const std::vector<double>& y) {
          rows.push_back({name, fmt::format("{:.4f}", distance(y, record.y, 0, kTraining)),
                          fmt::format("{:.4f}", distance(y, record.y, kTraining, kSamples))});
          std::vector<double> part(y.begin() + kTraining, y.begin() + kTraining + 400), off;
          for (std::size_t i = 0; i < part.size(); ++i) off.push_back(part[i] - measured[i]);
          figure.panels[0].add(plot::line(t, part, name));
          figure.panels[1].add(plot::line(t, off, name));
        };
        show("ARX", of_linear);
        show("net", of_net);
        show("Wiener", of_wiener);
        report.table("Root of the mean square error of free runs.", std::move(rows));
        report.figure("c18-models",
                      "The first 40 s of the validation part: outputs, and what they differ by.",
                      std::move(figure));
        report.text(
            "The data set and the sizes of the nets were not recovered: plant, data and limits "
            "are a stand-in, and all values are assumed.");
      }};
}

}  // namespace arges::argesim
