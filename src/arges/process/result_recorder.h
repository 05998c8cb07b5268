#pragma once
// A run of processes into a result: watched quantities as columns, activations as events.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "arges/process/observer.h"
#include "arges/process/world.h"
#include "arges/results/step_recorder.h"

namespace arges::process {

// Quantities are looked at after each activation of a process. Events: activations ("started",
// "resumed", "interrupted", with "+ended" when the process has ended then), component NAME#NUMBER,
// with the quantities that changed since the activation before.
class ResultRecorder : public Observer {
 public:
  // `steps` outlives the recorder; its begin() and end() are the caller's.
  ResultRecorder(StepRecorder& steps, bool log_activations)
      : steps_(steps), log_activations_(log_activations) {}

  // Before the rows begin.
  void watch(Column column, std::function<double()> quantity);
  void on_activation(const ActivationEvent& event) override;

 private:
  StepRecorder& steps_;
  bool log_activations_;
  struct Watch {
    std::size_t column;
    std::function<double()> quantity;
  };
  std::vector<Watch> watches_;
};

}  // namespace arges::process
