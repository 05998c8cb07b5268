// arges_bench [--json FILE] [small] [studies] [kernel] [native] [switching]: the kernel against
// plain programs; fails when an answer is wrong.

#include <cstdio>
#include <exception>
#include <string>

#include "bench/suites.h"

int main(int argc, char** argv) {
  std::string json, parts;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--json" && i + 1 < argc) {
      json = argv[++i];
    } else if (const std::string part = argv[i]; part == "small" || part == "studies" ||
                                                 part == "kernel" || part == "native" ||
                                                 part == "switching") {
      parts += part;
    } else {
      std::fprintf(
          stderr,
          "usage: arges_bench [--json FILE] [small] [studies] [kernel] [native] [switching]\n");
      return 2;
    }
  }
  try {
    arges::bench::Table table;
    const auto wanted = [&](const char* part) {
      return parts.empty() || parts.find(part) != std::string::npos;
    };
    if (wanted("small")) arges::bench::compare_small_systems(table);
    if (wanted("studies")) arges::bench::compare_ensembles(table);
    if (wanted("kernel")) arges::bench::compare_kernel_costs(table);
    if (wanted("native")) arges::bench::compare_native_code(table);
    if (wanted("switching")) arges::bench::compare_switching(table);
    if (!json.empty()) table.write_json(json);
    return table.all_right() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "arges_bench: %s\n", error.what());
    return 1;
  }
}
