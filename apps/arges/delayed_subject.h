#pragma once
// Models of text with delay(), looked at where they rest.

#include <optional>

#include "any_model.h"
#include "arges/experiment/delayed_model.h"

namespace arges::app {

// The model; with delays (and as far as they can be taken out: causalize/open_delays.h) as it is at
// rest, where what comes out of a delay is what goes in. Opened once more then.
struct RestingSubject {
  RestingSubject(const ModelRegistry& models, const SubjectOptions& options);

  std::optional<AnyModel> model;
  bool has_delays = false;
};

// The linear model around a point of a RestingSubject that has delays, with the delays apart.
// Throws what linearise() throws.
DelayedModel linearise_delayed(const ModelRegistry& models, const SubjectOptions& options,
                               const HybridSystem& resting, const Context& at,
                               const LineariseRequest& request);

// How a steady state of a model with delays answers to small disturbances.
struct DelayedStability {
  bool is_known = false;
  std::string why{};  // not
  UnstableRoots roots{};

  bool stable() const { return is_known && roots.count == 0 && !roots.neutral; }
  bool neutral() const { return is_known && roots.count == 0 && roots.neutral; }
};
DelayedStability stability_of(const ModelRegistry& models, const SubjectOptions& options,
                              const HybridSystem& resting, const Context& at);

}  // namespace arges::app
