#pragma once
// Models as Modelica text.

#include <memory>
#include <string>

#include "arges/causalize/open_delays.h"
#include "arges/compile/constraint_policy.h"
#include "arges/compile/native_tier.h"
#include "arges/diag/text_client.h"
#include "arges/driver/model_registry.h"
#include "arges/hybrid/system.h"

namespace arges {

// Where a model comes from: the name of a built-in model, a Modelica file (or folder with
// package.mo), or the name of a class on the MODELICAPATH.
struct ModelSource {
  std::string what;
  std::string class_name;  // of a file: which class; empty: see lang::load_model
  bool colour = false;     // in messages about the text
  Tier tier = Tier::kVm;   // what runs the equations; kJit without the plugin: the register machine
  std::vector<std::string> libraries{};  // shared ones, whose functions the model may call
  ConstraintPolicy constraints = ConstraintPolicy::kSelect;  // of a model of higher index
  DelayUse delays = DelayUse::kKept;
  // Of the text, as in "n = 5": of what a value at run time cannot change (see lang::load_model).
  std::vector<std::string> modifications{};
  std::vector<std::string> given{};  // names of what gets a value when the model runs
};

// The text is wrong. what() is the whole report, in the manner of a compiler; json is the same for
// editors. `no_such_class`: it is not the text that is wrong, but which class of it is asked for.
// `places` are those of the errors, for whoever has made the text from something else.
class ModelTextError : public std::runtime_error {
 public:
  struct Place {
    std::string file;
    std::size_t offset;
  };
  ModelTextError(const std::string& report, std::string the_json)
      : std::runtime_error(report), json(std::move(the_json)) {}
  std::string json;
  bool no_such_class = false;
  std::vector<Place> places{};
};

// True for what can only be text: a path that ends in .mo or that exists.
bool is_model_file(const std::string& what);

// It is (or would be) compiled from text: no built-in model.
bool is_model_text(const ModelRegistry& models, const ModelSource& source);

// Throws UserError (no such model), IoError, ModelTextError. `note`, if given, is what the user
// should know about the tier, and about parameters without a value.
std::unique_ptr<HybridSystem> open_model(const ModelRegistry& models, const ModelSource& source,
                                         std::string* note = nullptr);

// The model in a text, as if it stood in the file `name`; its class `class_name`, or the one that
// load_model takes by itself. It may use the classes of further files. Throws ModelTextError,
// IoError.
std::unique_ptr<HybridSystem> model_from_text(const std::string& name, const std::string& text,
                                              const std::string& class_name = {},
                                              const std::vector<std::string>& files = {});

// The stages on the way, as text: "tokens", "ast" (the syntax tree), "text" (printed back from it),
// "classes" (what the file declares), "flat" (Base Modelica), "equations" (the flat model, easier
// to read), "causal" (aliases, states, sorted blocks, the initial system). Of a model with state
// machines the last two come for each mode; Base Modelica has none.
std::string emit_model(const ModelSource& source, const std::string& stage);

// One mode of a model with state machines.
struct ModeCheck {
  std::string name;
  int equations = 0, unknowns = 0, differentiated = 0;
  int index = 0;  // of the equations as written: 0, 1, or one more than the most differentiations
  std::vector<std::string> states;
};

// Those of the classes that neither the files nor the MODELICAPATH have. Throws IoError.
std::vector<std::string> missing_classes(const std::vector<std::string>& names,
                                         const std::vector<std::string>& files);

// What `arges check` tells: counts, states, loops; or, as ModelTextError, what is wrong.
struct ModelCheck {
  std::string name;
  int equations = 0, unknowns = 0, aliases = 0, blocks = 0, loops = 0, largest_loop = 0, tears = 0,
      largest_tears = 0, differentiated = 0;
  std::vector<std::string> states, warnings;
  struct Differentiated {
    std::string equation;
    int times = 1;
  };
  std::vector<Differentiated> differentiated_equations;
  // Of the states, `computed` of these are computed from constraints; which ones changes in a run.
  struct DynamicSet {
    std::vector<std::string> candidates;
    int computed = 0;
  };
  std::vector<DynamicSet> dynamic_states;
  std::vector<ModeCheck> modes;  // of a model with state machines; then the counts are of the first
  std::string report;            // warnings about the text, in the manner of a compiler
  std::string report_json;
};
ModelCheck check_model(const ModelSource& source);

}  // namespace arges
