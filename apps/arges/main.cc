#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/experiment/ranks.h"
#include "argesim/register.h"
#include "commands.h"
#include "console.h"

namespace {

using namespace arges;

int run_program(int argc, char** argv) {
  ModelRegistry models;
  argesim::register_argesim_models(models);
  const int code = app::run_command_line(models, argesim::argesim_benchmarks(), argc, argv);
  if (std::fflush(stdout) != 0)
    throw IoError(fmt::format("the standard output cannot be written: {}", std::strerror(errno)));
  return code;
}

// The message and the exit code (docs/guide/exit-codes.md) of the exception being handled.
std::pair<std::string, int> explain_exception() {
  try {
    throw;
  } catch (const app::JsonClosed& closed) {
    try {
      std::rethrow_if_nested(closed);
    } catch (...) {
      return explain_exception();
    }
    return {"internal error, please report it", 70};
  } catch (const UserError& error) {
    return {error.what(), 2};
  } catch (const EvaluationError& error) {
    return {error.what(), 4};
  } catch (const IoError& error) {
    return {error.what(), 6};
  } catch (const std::bad_alloc&) {
    return {"out of memory; a coarser output interval or fewer variables need less", 5};
  } catch (const std::system_error& error) {  // of fmt::print
    if (std::ferror(stdout) != 0)
      return {fmt::format("the standard output cannot be written: {}", error.code().message()), 6};
    return {fmt::format("internal error, please report it: {}", error.what()), 70};
  } catch (const std::exception& error) {
    return {fmt::format("internal error, please report it: {}", error.what()), 70};
  }
}

bool json_is_closed() {
  try {
    throw;
  } catch (const app::JsonClosed&) {
    return true;
  } catch (...) {
    return false;
  }
}

// All ranks of mpirun find the same mistake, and rank 0 says it; mpirun ends the others. Whoever is
// still there after a while is the only one that has failed.
bool may_speak() {
  const int rank = rank_by_environment().rank;
  if (rank == 0) return true;
  for (int k = 0; k < 20 && !app::interrupted(); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  if (app::interrupted()) return false;
  app::to_stderr(fmt::format("rank {}: ", rank));
  return true;
}

bool asks_for_json(int argc, char** argv) {
  for (int i = 2; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--json") return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  app::watch_signals();
  try {
    return run_program(argc, argv);
  } catch (const ModelTextError& error) {
    if (!may_speak()) return 3;
    app::to_stderr(error.what());
    if (asks_for_json(argc, argv)) {
      fmt::print(
          "{{\"status\": \"error\", \"message\": \"the model text is wrong\", \"diagnostics\": "
          "{}}}\n",
          error.json);
    }
    return 3;
  } catch (...) {
    if (app::reader_has_gone()) return 128 + SIGPIPE;
    const auto [message, code] = explain_exception();
    if (!may_speak()) return code;
    app::print_error(message);
    try {
      if (asks_for_json(argc, argv) && !json_is_closed()) app::print_json_error(message);
    } catch (const std::system_error&) {
      // The standard output is what failed: nothing can be said there.
    }
    return code;
  }
}
