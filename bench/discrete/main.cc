// arges_bench_discrete [devstone] [hold] [mm1]: discrete events against bare loops; fails when an
// answer is wrong. Without arguments: all.

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "bench/suites.h"

int main(int argc, char** argv) {
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  const auto wants = [&](const std::string& name) {
    for (const std::string& word : wanted) {
      if (word == name) return true;
    }
    return wanted.empty();
  };
  try {
    arges::bench::Table table;
    if (wants("devstone")) arges::bench::compare_devstone(table);
    if (wants("hold")) arges::bench::compare_hold(table);
    if (wants("mm1")) arges::bench::compare_mm1(table);
    return table.all_right() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "arges_bench_discrete: %s\n", error.what());
    return 1;
  }
}
