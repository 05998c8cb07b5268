#pragma once
// What is wrong with a mode of a model with state machines, as a diagnostic.

#include "arges/causalize/machine_modes.h"
#include "arges/diag/diagnostic.h"

namespace arges::lang {

inline diag::Diagnostic mode_report(const std::string& model, const ModeError& error) {
  return {error.too_many_modes ? diag::Code::kTooManyModes : diag::Code::kIncompleteMode,
          "model " + model + ": " + error.what(),
          {}};
}

}  // namespace arges::lang
