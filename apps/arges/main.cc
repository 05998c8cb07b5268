#include <cstdio>
#include <exception>
#include <new>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "argesim/register.h"
#include "commands.h"
#include "console.h"

int main(int argc, char** argv) {
  using namespace arges;
  app::watch_signals();
  try {
    ModelRegistry models;
    argesim::register_argesim_models(models);
    const int code = app::run_command_line(models, argc, argv);
    if (std::fflush(stdout) != 0) throw IoError("the standard output cannot be written");
    return code;
  } catch (const UserError& error) {
    app::print_error(error.what());
    return 2;
  } catch (const IoError& error) {
    app::print_error(error.what());
    return 6;
  } catch (const std::bad_alloc&) {
    app::print_error("out of memory; a coarser output interval or fewer variables need less");
    return 5;
  } catch (const std::exception& error) {
    app::print_error(fmt::format("internal error, please report it: {}", error.what()));
    return 70;
  }
}
