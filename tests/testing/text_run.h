#pragma once
// Runs a model that is given as text.

#include <string>
#include <vector>

#include "arges/driver/model_text.h"
#include "arges/hybrid/simulator.h"
#include "arges/results/memory_sink.h"

namespace arges::testing {

struct TextRun {
  RunResult result;
  Trajectory trajectory;
  std::vector<EventRecord> switches() const {
    std::vector<EventRecord> list;
    for (const EventRecord& e : trajectory.events) {
      if (!e.changes.empty() && e.changes[0].name == "mode") list.push_back(e);
    }
    return list;
  }
};

inline TextRun run_text(const std::string& text, double stop_time,
                        const std::string& solver = "dopri5", double rtol = 1e-9) {
  const auto model = model_from_text("Model.mo", text);
  RunOptions options;
  options.stop_time = stop_time;
  options.solver = solver;
  options.numerics.rtol = rtol;
  MemorySink sink;
  TextRun run;
  run.result = Simulator(*model, options).run(make_context(*model), &sink);
  sink.finish({});
  run.trajectory = sink.take();
  return run;
}

inline std::string report_of(const std::string& text) {
  try {
    model_from_text("Model.mo", text);
  } catch (const ModelTextError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace arges::testing
