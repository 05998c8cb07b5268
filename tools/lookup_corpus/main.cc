// lookup_corpus ROOT NAME...: looks up all type names of the libraries NAME... below the folder
// ROOT (arges/elaborate/corpus.h).

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "arges/elaborate/corpus.h"

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: lookup_corpus ROOT NAME...\n");
    return 2;
  }
  try {
    return arges::lang::lookup_corpus({argv[1]}, std::vector<std::string>(argv + 2, argv + argc));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "lookup_corpus: %s\n", e.what());
    return 6;
  }
}
