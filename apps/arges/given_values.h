#pragma once
// The values that a user gives to a model.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arges/driver/model_registry.h"
#include "arges/driver/model_text.h"
#include "arges/hybrid/system.h"

namespace arges::app {

// A model with what "NAME=VALUE" gives to it. Of a model in text, what is part of its structure
// (the size of an array, a branch that is chosen before the run) or no number (a string, an array,
// an element of an enumeration) is a modification of the text, with which it is compiled.
struct GivenModel {
  std::unique_ptr<HybridSystem> model;
  std::vector<std::pair<std::string, double>> values;  // all others: parameters and start values
  std::vector<std::string> modifications;              // "n = 5"
};

// Throws what read_model() throws, and UserError, with the place, for what is no assignment and for
// names that the model does not have.
GivenModel open_given(const ModelRegistry& models, ModelSource source,
                      const std::vector<std::string>& assignments, std::string* note = nullptr);

// "k=true" is for a Boolean: throws UserError, with the place, when the variable of that name
// (there may be none) is not one.
void refuse_truth(const std::vector<std::string>& assignments,
                  const std::vector<const std::vector<VariableInfo>*>& variables);

}  // namespace arges::app
