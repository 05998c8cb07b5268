// Values of a text that are part of its equations, in what does many runs.

#include <algorithm>

#include <fmt/format.h>

#include "any_model.h"
#include "arges/base/error.h"
#include "arges/experiment/specification.h"
#include "arges/hybrid/simulator.h"

namespace arges::app {

namespace {

constexpr std::size_t kMostLookedAt = 100;  // variants, for an observable that others do not have

// Where an item of a list stands; 0 when that is not known.
std::size_t find_word(const std::string& text, const std::string& word) {
  const std::size_t at = find_piece(text, word);
  return at == std::string::npos ? 0 : at;
}

}  // namespace

void AnyModel::set_words(const std::string& name, std::vector<std::string> words) {
  words_[name] = std::move(words);
}

bool AnyModel::has_variants(const std::vector<std::string>& names) const {
  return std::ranges::any_of(names, [&](auto& each) { return varied(each).is_structural; });
}

VariedName AnyModel::varied(const std::string& name) const {
  VariedName result{name};
  if (!variants_) return result;
  if (const auto words = words_.find(name); words != words_.end()) {
    result.words = words->second;
    result.is_structural = true;
  }
  const auto& parameters = subject_->model->schema().parameters;
  const auto found = std::ranges::find(parameters, name, &VariableInfo::name);
  if (found == parameters.end()) return result;
  result.type = found->type;
  result.is_structural = result.is_structural || !found->settable;
  return result;
}

void AnyModel::check_variants(const std::vector<VariedName>& names,
                              const std::vector<std::string>& texts,
                              const std::vector<std::vector<double>>& examples) const {
  const auto refuse = [&](std::size_t i, const std::string& what, std::size_t place = 0) {
    throw UserError(complaint(what, texts[i], place));
  };
  const auto try_with = [&](std::size_t i, const std::vector<std::string>& modifications,
                            const std::string& word = "") {
    const auto variant = variants_->with(modifications);
    if (!variant->failure.empty()) refuse(i, variant->failure, find_word(texts[i], word));
  };
  std::vector<std::string> first;
  std::size_t last = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].is_structural || examples[i].empty()) continue;
    const auto& parameters = subject_->model->schema().parameters;
    const auto found = std::ranges::find(parameters, names[i].name, &VariableInfo::name);
    for (const double each : examples[i]) {
      if (found == parameters.end() || !names[i].words.empty()) break;
      try {
        check_value(*found, each);
      } catch (const UserError& error) {
        refuse(i, error.what());
      }
    }
    first.push_back(names[i].modification(examples[i].front()));
    last = i;
  }
  if (first.empty()) return;
  // What is wrong with one of them is told at that one. A variant may need several of them.
  std::size_t at = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].is_structural || examples[i].empty()) continue;
    std::vector<std::string> modifications = first;
    for (std::size_t k = 0; k < names[i].words.size(); ++k) {
      modifications[at] = names[i].modification(static_cast<double>(k));
      try_with(i, modifications, names[i].words[k]);
    }
    ++at;
  }
  try_with(last, first);
}

// What is nowhere is a mistake; what some variants do not have is none.
void AnyModel::check_observables(const VariantRuns& runs) const {
  const auto is_there = [&](const HybridSystem& model, const Observable& observable) {
    try {
      const RunFunction run(model, make_context(model), options_, {}, {observable});
      return true;
    } catch (const UserError&) {
      return false;
    }
  };
  std::vector<double> first;
  for (const VariedName& each : runs.names) {
    const auto examples = examples_.find(each.name);
    first.push_back(
        examples == examples_.end() || examples->second.empty() ? 0 : examples->second.front());
  }
  const auto some_variant_has = [&](const Observable& observable) {
    for (std::size_t i = 0; i < runs.names.size(); ++i) {
      const auto examples = examples_.find(runs.names[i].name);
      if (!runs.names[i].is_structural || examples == examples_.end()) continue;
      std::vector<double> values = first;
      for (std::size_t k = 0; k < std::min(kMostLookedAt, examples->second.size()); ++k) {
        values[i] = examples->second[k];
        const auto variant = variants_->with(runs.modifications(values));
        if (variant->failure.empty() && is_there(variant->system(), observable)) return true;
      }
    }
    return false;
  };
  for (const Observable& each : runs.observables) {
    if (is_there(hybrid(), each) || some_variant_has(each)) continue;
    RunFunction(hybrid(), make_context(hybrid()), options_, {}, {each});  // throws
  }
}

}  // namespace arges::app
