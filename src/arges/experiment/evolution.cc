#include "arges/experiment/evolution.h"

#include "arges/base/error.h"
#include "arges/base/plugin.h"

namespace arges {

const EvolutionPlugin& evolution_plugin() {
  static const PluginSymbol found =
      load_plugin("arges_evolution.so", "ARGES_EVOLUTION_PLUGIN", kEvolutionSymbol);
  const auto* plugin = static_cast<const EvolutionPlugin*>(found.symbol);
  if (plugin == nullptr || plugin->abi != kEvolutionAbi) {
    throw UserError(
        "the methods of pagmo are not there (" +
            (found.problem.empty() ? "the plugin belongs to another version" : found.problem) +
            "): those of NLopt are direct, crs, isres, esch, and the local ones",
        {"method"});
  }
  return *plugin;
}

}  // namespace arges
