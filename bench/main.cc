// arges_bench [--json FILE]: the kernel against plain programs; fails when an answer is wrong.

#include <cstdio>
#include <exception>
#include <string>

#include "bench/suites.h"

int main(int argc, char** argv) {
  std::string json;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--json" && i + 1 < argc) {
      json = argv[++i];
    } else {
      std::fprintf(stderr, "usage: arges_bench [--json FILE]\n");
      return 2;
    }
  }
  try {
    arges::bench::Table table;
    arges::bench::compare_small_systems(table);
    arges::bench::compare_kernel_costs(table);
    if (!json.empty()) table.write_json(json);
    return table.all_right() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "arges_bench: %s\n", error.what());
    return 1;
  }
}
