#include "arges/driver/compiled_variants.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/experiment/specification.h"
#include "arges/experiment/stop_when.h"
#include "arges/hybrid/simulator.h"

namespace arges {

namespace {

constexpr std::size_t kMostKept = 1000;
constexpr std::size_t kMostFunctions = 50;  // of one thread: each has a solver and its buffers

double nothing() { return std::numeric_limits<double>::quiet_NaN(); }

// "what", without the text and the mark below it.
std::string first_of(const std::string& message) {
  const std::optional<Complaint> complaint = read_complaint(message);
  return complaint ? complaint->what : message;
}

// The runs of one variant, on one thread.
class OneVariant {
 public:
  OneVariant(const VariantRuns& runs, std::shared_ptr<const CompiledVariant> variant)
      : variant_(std::move(variant)), count_(runs.observables.size()) {
    failure_ = variant_->failure;
    if (!failure_.empty()) return;
    try {
      prepare(runs);
    } catch (const UserError& error) {  // it does not have what is given or varied
      failure_ = first_of(error.what());
    }
  }

  const std::vector<std::string>& modifications() const { return variant_->modifications; }

  ModelFunction::Result run(std::span<const double> values) {
    if (!failure_.empty())
      return {std::vector<double>(count_, nothing()), RunReason::kInitialisationFailed, failure_};
    std::vector<double> set;
    for (const std::size_t i : set_) set.push_back(values[i]);
    ModelFunction::Result result = (*function_)(set);
    std::vector<double> all(count_, nothing());
    for (std::size_t i = 0; i < there_.size(); ++i) all[there_[i]] = result.observables[i];
    result.observables = std::move(all);
    if (result.message.empty()) result.message = missing_;
    return result;
  }

 private:
  void prepare(const VariantRuns& runs) {
    const HybridSystem& model = variant_->system();
    Context start = make_context(model);
    for (const auto& [name, value] : runs.given) set_value(model, start, name, value);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < runs.names.size(); ++i) {
      if (runs.names[i].is_structural) continue;
      set_.push_back(i);
      names.push_back(runs.names[i].name);
    }
    const auto make = [&](const std::vector<Observable>& observables) {
      return std::make_unique<RunFunction>(model, start, runs.options, names, observables);
    };
    make({});  // throws for the names
    std::vector<Observable> there;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::string missing = why_not(make, runs.observables[i]);
      if (missing.empty()) {
        there.push_back(runs.observables[i]);
        there_.push_back(i);
      } else if (missing_.empty()) {
        missing_ = fmt::format("with {}: {}", fmt::join(variant_->modifications, ", "),
                               missing.substr(0, missing.find(';')));
      }
    }
    function_ = make(there);
  }
  // Of bands there are many observables of one name, one after another.
  std::string why_not(const auto& make, const Observable& observable) {
    if (observable.kind == Observable::Kind::kAt && observable.text == last_band_)
      return why_not_last_;
    last_band_ = observable.text;
    try {
      make({observable});
      return why_not_last_ = "";
    } catch (const UserError& error) {
      return why_not_last_ = first_of(error.what());
    }
  }

  std::shared_ptr<const CompiledVariant> variant_;
  std::size_t count_;
  std::string failure_, missing_, last_band_, why_not_last_;
  std::vector<std::size_t> set_;    // of the values: those that no variant is chosen by
  std::vector<std::size_t> there_;  // of the observables: those that this variant has
  std::unique_ptr<RunFunction> function_;
};

class VariantFunction final : public ModelFunction {
 public:
  explicit VariantFunction(std::shared_ptr<const VariantRuns> runs) : runs_(std::move(runs)) {}

  Result operator()(std::span<const double> values) override {
    const std::vector<std::string> wanted = runs_->modifications(values);
    auto found = std::ranges::find(kept_, wanted, &OneVariant::modifications);
    if (found == kept_.end()) {
      if (kept_.size() >= kMostFunctions) kept_.pop_back();
      kept_.emplace_front(*runs_, runs_->variants->with(wanted));
    } else {
      kept_.splice(kept_.begin(), kept_, found);
    }
    return kept_.front().run(values);
  }

 private:
  std::shared_ptr<const VariantRuns> runs_;
  std::list<OneVariant> kept_;  // the one used last comes first
};

}  // namespace

std::shared_ptr<const CompiledVariant> CompiledVariants::with(
    const std::vector<std::string>& modifications) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(
      kept_, modifications, [](const auto& each) -> const auto& { return each->modifications; });
  if (found != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, found);
    return kept_.front();
  }
  if (kept_.size() >= kMostKept) kept_.pop_back();
  kept_.push_front(compile(modifications));
  return kept_.front();
}

std::shared_ptr<const CompiledVariant> CompiledVariants::compile(
    const std::vector<std::string>& modifications) const {
  auto variant = std::make_shared<CompiledVariant>();
  variant->modifications = modifications;
  ModelSource source = source_;
  source.modifications.insert(source.modifications.end(), modifications.begin(),
                              modifications.end());
  try {
    variant->model = open_model(models_, source);
    if (!condition_.empty()) variant->watched = arges::stop_when(*variant->model, condition_);
  } catch (const ModelTextError& error) {
    variant->failure = fmt::format("the model cannot be compiled with {}\n{}",
                                   fmt::join(modifications, ", "), error.what());
  } catch (const UserError& error) {
    variant->failure = first_of(error.what());
  }
  return variant;
}

std::string VariedName::modification(double value) const {
  if (!words.empty()) {
    if (!(value >= 0) || !(value < static_cast<double>(words.size())))
      throw UserError(fmt::format("'{}' has no value of number {}", name, value));
    return fmt::format("{} = {}", name, words[static_cast<std::size_t>(value)]);
  }
  if (type == ValueType::kBoolean) return fmt::format("{} = {}", name, value != 0);
  if (type == ValueType::kInteger && std::abs(value) < 9e15)
    return fmt::format("{} = {}", name, static_cast<std::int64_t>(std::llround(value)));
  return fmt::format("{} = {:.17g}", name, value);
}

std::vector<std::string> VariantRuns::modifications(std::span<const double> values) const {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].is_structural) all.push_back(names[i].modification(values[i]));
  }
  return all;
}

ModelFunctions variant_functions(std::shared_ptr<const VariantRuns> runs) {
  return [runs = std::move(runs)] { return std::make_unique<VariantFunction>(runs); };
}

}  // namespace arges
