// arges_bench_quantised [--append-json FILE]: quantised states against a bare loop and cvode-bdf;
// fails when an answer is wrong.

#include <cstdio>
#include <exception>
#include <string>

#include "bench/quantised/suites.h"

int main(int argc, char** argv) {
  using arges::bench::Table;
  std::string json;
  if (argc == 3 && std::string(argv[1]) == "--append-json") {
    json = argv[2];
  } else if (argc != 1) {
    std::fprintf(stderr, "usage: arges_bench_quantised [--append-json FILE]\n");
    return 2;
  }
  try {
    Table table;
    arges::bench::compare_diffusion(table);
    arges::bench::compare_linearly_implicit(table);
    arges::bench::compare_text(table);
    if (!json.empty()) table.write_json(json, Table::Mode::kAppend);
    return table.all_right() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "arges_bench_quantised: %s\n", error.what());
    return 1;
  }
}
