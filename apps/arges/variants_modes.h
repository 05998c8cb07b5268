#pragma once
// What `variants` does with a structure besides listing it.

#include "arges/variants/variant_run.h"
#include "commands.h"

namespace arges::app {

// --observe: all variants are run, each is a row. Returns the exit code.
int observe_variants(const variants::EntityStructure& structure,
                     const variants::Selection& selection,
                     const std::vector<variants::Variant>& all, variants::VariantSetup setup,
                     const VariantsCommand& command);

// --minimize, --maximize: structure and ranges are searched together. Returns the exit code.
int search_variants(const variants::EntityStructure& structure,
                    const variants::Selection& selection, variants::VariantSetup setup,
                    const VariantsCommand& command);

}  // namespace arges::app
