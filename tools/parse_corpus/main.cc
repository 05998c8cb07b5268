// parse_corpus PATH...: parses and prints all Modelica files below the paths and reports counts and
// speed (arges/parse/corpus.h).

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "arges/parse/corpus.h"

int main(int argc, char** argv) {
  try {
    return arges::lang::parse_corpus(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "parse_corpus: %s\n", e.what());
    return 6;
  }
}
