#pragma once
// The runs of a sweep or a Monte Carlo study.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "any_model.h"
#include "commands.h"
#include "study_output.h"

namespace arges::app {

// The model and all that its runs share; throws before anything is run.
struct Study {
  RanksAtRest ranks{};  // until everything is printed
  const StudyOptions& wish;
  AnyModel model;
  std::vector<std::string> names{};
  std::vector<Formula> noted{};
  std::vector<Observable> over_time{};  // of the bands
  RunFormulas formulas{{}};             // those that are noted, when the names are known
  RunValues values{};
  std::vector<std::vector<double>> examples{};    // of each value
  std::vector<std::vector<std::string>> words{};  // of each: not empty, when it is a position there
  StudyTable table{};
  std::int64_t kept = 0;  // runs that the file of --resume has already

  Study(const ModelRegistry& models, const StudyOptions& the_wish);

  // The values of variables at times are observables like others, that nobody sees.
  void add_bands(const std::vector<std::string>& lists);

  // Everything that rows depend on.
  std::string description(const std::vector<std::string>& texts) const;

  // Runs that give the values of what is noted, then of the bands. A name that is varied stands for
  // its value in a formula, when the model has no variable of that name.
  ModelFunctions functions();

  // The journal and the bands learn what the file of --out has. Returns how many runs that are.
  // Throws UserError when the study would have fewer runs than were done.
  std::int64_t resume(Journal& journal, std::int64_t count);

  // `texts`: the values as the user wrote them.
  void run(std::int64_t count, const char* kind, const std::vector<std::string>& texts,
           std::optional<std::uint64_t> seed, const std::function<bool(const StudyTable&)>& enough);
};

}  // namespace arges::app
