// arges_bench_discrete [--append-json FILE] [devstone] [hold] [mm1]: discrete events against bare
// loops; fails when an answer is wrong. Without names: all.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "bench/suites.h"

int main(int argc, char** argv) {
  using arges::bench::Table;
  std::string json;
  std::vector<std::string> wanted;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--append-json" && i + 1 < argc) {
      json = argv[++i];
    } else if (word == "devstone" || word == "hold" || word == "mm1") {
      wanted.push_back(word);
    } else {
      std::fprintf(stderr,
                   "usage: arges_bench_discrete [--append-json FILE] [devstone] [hold] [mm1]\n");
      return 2;
    }
  }
  const auto wants = [&](const std::string& name) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
  };
  try {
    Table table;
    if (wants("devstone")) arges::bench::compare_devstone(table);
    if (wants("hold")) arges::bench::compare_hold(table);
    if (wants("mm1")) arges::bench::compare_mm1(table);
    if (!json.empty()) table.write_json(json, Table::Mode::kAppend);
    return table.all_right() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "arges_bench_discrete: %s\n", error.what());
    return 1;
  }
}
