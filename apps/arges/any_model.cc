#include "any_model.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/driver/discrete_contest.h"
#include "arges/experiment/specification.h"
#include "arges/experiment/stop_when.h"
#include "arges/hybrid/simulator.h"
#include "console.h"
#include "given_values.h"

namespace arges::app {

AnyModel::AnyModel(const ModelRegistry& models, const SubjectOptions& options)
    : request_(request_of(options)), discrete_(models.find_discrete(options.model)) {
  if (discrete_ == nullptr) {
    subject_.emplace(models, options);
    request_.values = subject_->request.values;
    options_ = subject_->run_options();
    const ModelSource source{.what = options.model,
                             .class_name = options.class_name,
                             .libraries = options.libraries,
                             .delays = options.delays,
                             .modifications = subject_->modifications};
    if (is_model_text(models, source))
      variants_ = std::make_shared<CompiledVariants>(models, source);
    return;
  }
  options_ = study_options(*discrete_, request_);
  options_.cancel = request_.cancel;
  request_.values = parse_assignments(options.assignments);
  discrete_start_.emplace(discrete_->info().parameters);
  set_all(request_.values, options.assignments,
          [&](const std::string& name, double value) { discrete_start_->set(name, value); });
  refuse_truth(options.assignments, {&discrete_->info().parameters});
}

const std::string& AnyModel::name() const {
  return is_discrete() ? discrete_->info().name : subject_->model->schema().name;
}

void AnyModel::stop_when(const std::string& condition) {
  if (is_discrete())
    throw UserError(
        complaint("--stop-when looks at continuous variables: a discrete-event model has none",
                  condition, 0));
  watched_ = arges::stop_when(*subject_->model, condition);
  if (variants_) variants_->stop_when(condition);
}

void AnyModel::check_names(const std::vector<std::string>& names,
                           const std::vector<std::string>& texts,
                           const std::vector<std::vector<double>>& examples) {
  std::vector<VariedName> all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    // The last one would win, and the others would seem to have no effect.
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
        names.begin() + static_cast<std::ptrdiff_t>(i))
      throw UserError(complaint(fmt::format("'{}' is varied already", names[i]), texts[i], 0));
    if (const std::string given = given_value(names[i]); !given.empty())
      throw UserError(complaint(fmt::format("'{}' is varied, and -p {}={} gives it a value: leave "
                                            "one of them away",
                                            names[i], names[i], given),
                                texts[i], 0));
    all.push_back(varied(names[i]));
    examples_[names[i]] = examples[i];
    if (all.back().is_structural) continue;
    try {
      if (is_discrete()) {
        ParameterValues values = *discrete_start_;
        for (const double each : examples[i]) values.set(names[i], each);
      } else {
        Context start = subject_->start();
        for (const double each : examples[i]) set_value(*subject_->model, start, names[i], each);
      }
    } catch (const UserError& error) {
      throw UserError(complaint(error.what(), texts[i], 0));
    }
  }
  check_variants(all, texts, examples);
}

std::string AnyModel::given_value(const std::string& name) const {
  for (const auto& [given, value] : request_.values) {
    if (given == name) return fmt::format("{}", value);
  }
  const std::string begin = name + " = ";
  for (const std::string& each : subject_ ? subject_->modifications : std::vector<std::string>()) {
    if (each.starts_with(begin)) return each.substr(begin.size());
  }
  return "";
}

void AnyModel::check_options() const {
  if (is_discrete()) return;  // what_is_noted() and functions() have run it
  RunOptions at_the_start = options_;
  at_the_start.stop_time = at_the_start.start_time;
  at_the_start.interval = 0;
  Simulator(hybrid(), at_the_start).run(subject_->start());
}

std::vector<std::string> AnyModel::what_is_noted() const {
  if (is_discrete()) return final_names(*discrete_, *discrete_start_, options_);
  std::vector<std::string> all;
  const Context start = subject_->start();
  for (const VariableInfo& state : subject_->model->schema().modes[start.mode.index].states)
    all.push_back(state.name);
  return all;
}

ModelFunctions AnyModel::functions(const std::vector<std::string>& names,
                                   const std::vector<Observable>& observables) const {
  if (is_discrete()) {
    const auto plan = std::make_shared<const DiscreteStudyPlan>(
        DiscreteStudyPlan{*discrete_, *discrete_start_, options_, names, observables, {}});
    return [plan, make = model_functions(*plan)] { return make(); };
  }
  if (has_variants(names)) {
    auto runs = std::make_shared<VariantRuns>();
    *runs = {variants_, {}, subject_->request.values, options_, observables};
    for (const std::string& each : names) runs->names.push_back(varied(each));
    check_observables(*runs);
    return variant_functions(runs);
  }
  const auto make = [this, start = subject_->start(), names, observables] {
    return std::make_unique<RunFunction>(hybrid(), start, options_, names, observables);
  };
  make();  // throws when something is not there
  return make;
}

std::string AnyModel::why_no_variable(const std::string& name) const {
  try {
    functions({}, {parse_observable(name)});
    return "";
  } catch (const UserError& error) {
    const std::optional<Complaint> complaint = read_complaint(error.what());
    return complaint ? complaint->what : error.what();
  }
}

RunOutcome AnyModel::run(const std::vector<std::pair<std::string, double>>& values) const {
  RunRequest request = request_;
  std::vector<std::string> modifications;
  for (const auto& [name, value] : values) {
    const VariedName each = varied(name);
    if (each.is_structural) {
      modifications.push_back(each.modification(value));
    } else {
      request.values.emplace_back(name, value);
    }
  }
  request.keep_trajectory = true;
  if (!modifications.empty()) return run_model(variants_->with(modifications)->system(), request);
  return is_discrete() ? run_model(*discrete_, request) : run_model(hybrid(), request);
}

Moment AnyModel::at(double time, const std::function<void(double)>& progress) const {
  // The model lives as long as this does.
  if (subject_)
    return {{std::shared_ptr<void>(), subject_->model.get()}, subject_->at(time, progress)};
  RunOptions options = options_;
  options.progress = progress;
  options.stop_time = time;
  Moment moment = discrete_->moment(options, *discrete_start_);
  if (!moment.status.ok()) throw RunFailed{moment.status};
  return moment;
}

ContestResult AnyModel::compare(const ContestRequest& request) const {
  if (is_discrete())
    return compare_solvers(contest_model(*discrete_, *discrete_start_, options_), options_,
                           request);
  return compare_solvers(*subject_->model, subject_->start(), options_, request);
}

std::optional<std::uint64_t> AnyModel::seed() const {
  if (!is_discrete()) return std::nullopt;
  for (const VariableInfo& each : discrete_start_->parameters()) {
    if (each.name == "seed" && each.start >= 0) return static_cast<std::uint64_t>(each.start);
  }
  return std::nullopt;
}

std::string AnyModel::description() const {
  const RunOptions& run = options_;
  std::string text =
      fmt::format("{}|{} {} {} {} {} {} {} {} {} {}|", name(), run.start_time, run.stop_time,
                  run.solver, run.numerics.rtol, run.numerics.atol, run.numerics.step, run.interval,
                  run.max_steps, run.max_events, static_cast<int>(run.on_zeno));
  if (subject_) {
    const Context start = subject_->start();
    for (const auto* list : {&start.x, &start.p, &start.u, &start.z})
      text += fmt::format("{}|", fmt::join(*list, " "));
    for (const std::string& each : subject_->modifications) text += each + "|";
  } else {
    for (const VariableInfo& each : discrete_start_->parameters())
      text += fmt::format("{} {}|", each.name, each.start);
  }
  return text;
}

RanksAtRest::~RanksAtRest() {
  if (!ranks_) return;
  std::fflush(stdout);
  ranks_->finish();
}

RanksAtRest run_everywhere(
    std::int64_t count, const WorkerFactory& make,
    const std::function<std::unique_ptr<Worker>(std::unique_ptr<Worker>)>& wrap,
    const EnsembleOptions& options, const std::function<bool(const StudyRow&)>& take) {
  const RankOfMany place = rank_by_environment();
  if (place.size == 1) {
    run_ensemble(
        count, [&] { return wrap(make()); }, options, take);
    return {};
  }
  std::unique_ptr<Ranks> ranks = start_ranks();
  run_on_ranks(count, make, wrap, options, *ranks, take);
  RanksAtRest done(std::move(ranks));
  if (place.rank != 0) throw WorkDone{};
  return done;
}

SearchPool::SearchPool(const ModelFunctions& make, int threads) {
  const RankOfMany place = rank_by_environment();
  if (place.size > 1) {
    ranks_ = start_ranks();
    if (place.rank != 0) {
      serve_pool(make, *ranks_);
      throw WorkDone{};
    }
  }
  pool_ = std::make_unique<RunPool>(make, threads, ranks_.get());
}

SearchPool::~SearchPool() { std::fflush(stdout); }

}  // namespace arges::app
