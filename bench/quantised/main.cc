// arges_bench_quantised [--only SUITE] [--append-json FILE]: quantised states against a bare loop
// and cvode-bdf; fails when an answer is wrong. Suites: diffusion, implicit, text.

#include <cstdio>
#include <exception>
#include <string>

#include "bench/quantised/suites.h"

namespace {

using arges::bench::Table;

struct Suite {
  const char* name;
  void (*run)(Table&);
};
constexpr Suite kSuites[] = {{"diffusion", arges::bench::compare_diffusion},
                             {"implicit", arges::bench::compare_linearly_implicit},
                             {"text", arges::bench::compare_text}};

int usage() {
  std::fprintf(stderr,
               "usage: arges_bench_quantised [--only diffusion|implicit|text] "
               "[--append-json FILE]\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::string json, only;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) return usage();
    if (option == "--append-json") {
      json = argv[i + 1];
    } else if (option == "--only") {
      only = argv[i + 1];
    } else {
      return usage();
    }
  }
  try {
    Table table;
    bool any = false;
    for (const Suite& suite : kSuites) {
      if (!only.empty() && only != suite.name) continue;
      suite.run(table);
      any = true;
    }
    if (!any) return usage();
    if (!json.empty()) table.write_json(json, Table::Mode::kAppend);
    return table.all_right() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "arges_bench_quantised: %s\n", error.what());
    return 1;
  }
}
