// flatten_corpus ROOT [--messages] [--causal] [CLASS... | --list FILE]: flattens classes of the
// libraries below the folder ROOT, each in a class tree of its own, and prints for each one a line
//   ok CLASS equations unknowns milliseconds | unbalanced ... | CODE CLASS message
// and at the end the counts by result. With --causal the equations are sorted, too; what fails then
// is `structure CLASS message`.

#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "arges/base/error.h"
#include "arges/causalize/passes.h"
#include "arges/diag/text_client.h"
#include "arges/flatten/load.h"

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr,
                 "usage: flatten_corpus ROOT [--messages] [--causal] [CLASS... | --list FILE]\n");
    return 2;
  }
  std::vector<std::string> names;
  bool messages = false;
  bool causal = false;
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--messages") {
      messages = true;
    } else if (word == "--causal") {
      causal = true;
    } else if (word == "--list" && i + 1 < argc) {
      std::ifstream in(argv[++i]);
      for (std::string line; std::getline(in, line);) {
        if (!line.empty()) names.push_back(line);
      }
    } else {
      names.push_back(word);
    }
  }
  using Clock = std::chrono::steady_clock;
  std::map<std::string, int> results;
  for (const std::string& name : names) {
    const Clock::time_point begin = Clock::now();
    try {
      arges::diag::Diagnostics diagnostics;
      arges::lang::ClassTree tree{arges::lang::LibraryPath({argv[1]}), diagnostics};
      arges::FlatModel model = arges::lang::load_model(tree, name);
      const double ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
      std::string result = "ok";
      std::string text;
      for (const arges::diag::Diagnostic& d : diagnostics.list()) {
        if (d.severity() != arges::diag::Severity::kError) continue;
        result = arges::diag::info(d.code).id;
        text = d.message;
        if (messages) std::printf("%s", to_text(diagnostics).c_str());
        break;
      }
      if (result == "ok") {
        const arges::lang::Balance b = arges::lang::balance(model);
        if (!b.balanced()) result = "unbalanced";
        text = std::to_string(b.equations) + " equations, " + std::to_string(b.unknowns) +
               " unknowns, " + std::to_string(static_cast<int>(ms)) + " ms";
        if (causal) {
          try {
            arges::causalize(std::move(model));
            result = "ok";
          } catch (const arges::UserError& e) {
            result = "structure";
            text = e.what();
          }
        }
      }
      std::printf("%s %s %s\n", result.c_str(), name.c_str(), text.c_str());
      ++results[result];
    } catch (const std::exception& e) {
      std::printf("exception %s %s\n", name.c_str(), e.what());
      ++results["exception"];
    }
    std::fflush(stdout);
  }
  for (const auto& [result, n] : results) std::printf("%5d %s\n", n, result.c_str());
  return 0;
}
