#pragma once
// What the files with the grammar of the command line share. CLI11 is slow to compile: nobody else
// includes this.

#include <string>

#include <CLI/CLI.hpp>

namespace arges::app {

struct VariantsCommand;

// Counts may be written as 1e8. For CLI::Validator: the message when it is none.
std::string whole_number(std::string& text);

// An option whose value stands as `placeholder` in the help. An argument has its name: "".
template <typename T>
CLI::Option* add(CLI::App& command, const char* names, T& value, const char* placeholder,
                 const char* description) {
  return command.add_option(names, value, description)->type_name(placeholder);
}

void add_variants(CLI::App& program, VariantsCommand& variants);

}  // namespace arges::app
