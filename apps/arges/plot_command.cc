#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/parse_number.h"
#include "arges/plot/render.h"
#include "arges/results/reader.h"
#include "commands.h"
#include "console.h"

namespace arges::app {

namespace {

std::pair<double, double> two_numbers(const std::string& option, const std::string& text,
                                      char separator, const char* example) {
  const std::size_t at = text.find(separator);
  if (at != std::string::npos) {
    const auto a = parse_number(std::string_view(text).substr(0, at));
    const auto b = parse_number(std::string_view(text).substr(at + 1));
    if (a && b && std::isfinite(*a) && std::isfinite(*b)) return {*a, *b};
  }
  throw UserError(
      fmt::format("{} takes two numbers, as in {} {}, not '{}'", option, option, example, text));
}

// The last `folders` folders of a path, and the file without its ending.
std::string short_name(const std::filesystem::path& file, int folders) {
  std::filesystem::path name = file.stem(), folder = file.parent_path();
  for (int i = 0; i < folders && folder.has_filename(); ++i, folder = folder.parent_path())
    name = folder.filename() / name;
  return name.string();
}

}  // namespace

std::vector<std::string> run_names(const std::vector<std::string>& files) {
  constexpr int kMostFolders = 8;
  for (int folders = 0; folders <= kMostFolders; ++folders) {
    std::vector<std::string> names;
    for (const std::string& file : files) names.push_back(short_name(file, folders));
    const std::set<std::string> different(names.begin(), names.end());
    if (different.size() == files.size()) return names;
  }
  return files;
}

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names(1);
  int depth = 0;
  bool quoted = false;
  for (const char c : text) {
    if (c == '\'') quoted = !quoted;
    if (!quoted && (c == '[' || c == '(')) ++depth;
    if (!quoted && (c == ']' || c == ')')) --depth;
    if (c == ',' && !quoted && depth <= 0) {
      names.emplace_back();
    } else {
      names.back() += c;
    }
  }
  for (std::string& name : names) {
    name.erase(0, std::min(name.find_first_not_of(' '), name.size()));
    name.erase(name.find_last_not_of(' ') + 1);
    if (name.empty()) throw UserError(fmt::format("there is an empty name in '{}'", text));
  }
  return names;
}

std::pair<double, double> parse_range(const std::string& option, const std::string& text) {
  const auto range = two_numbers(option, text, ':', "0:2.5");
  if (!(range.first < range.second))
    throw UserError(fmt::format("{} {}: the first limit must be the smaller one", option, text));
  return range;
}

std::pair<double, double> parse_size(const std::string& option, const std::string& text) {
  const auto size = two_numbers(option, text, 'x', "160x100");
  if (!(size.first > 0 && size.second > 0))
    throw UserError(fmt::format("{} {}: width and height must be positive (mm)", option, text));
  return size;
}

int plot(PlotCommand command) {
  PlotRequest& request = command.request;
  for (const std::string& text : command.y) {
    for (std::string& name : split_names(text)) request.y.push_back(std::move(name));
  }
  if (command.log) {
    request.log_x = command.log->find('x') != std::string::npos;
    request.log_y = command.log->find('y') != std::string::npos;
  }
  if (command.x_limits) request.x_limits = parse_range("--xlim", *command.x_limits);
  if (command.y_limits) request.y_limits = parse_range("--ylim", *command.y_limits);
  if (command.size) request.size_mm = parse_size("--size", *command.size);
  request.event_marks = !command.no_events;

  const std::string out =
      command.out.value_or(std::filesystem::path(command.files.front()).replace_extension(".svg"));
  std::error_code error;
  for (const std::string& file : command.files) {
    if (std::filesystem::equivalent(file, out, error))
      throw UserError(
          fmt::format("the picture would replace the result '{}'; name another one "
                      "with -o",
                      file));
  }
  arges::plot::check_picture_path(out);
  const auto names = run_names(command.files);
  std::vector<NamedRun> runs;
  for (std::size_t i = 0; i < command.files.size(); ++i)
    runs.push_back({names[i], read_result(command.files[i])});
  const auto warnings = arges::plot::render(plot_results(runs, request), out);
  for (const std::string& warning : warnings) print_note(warning);
  fmt::print("{}\n", out);
  return 0;
}

}  // namespace arges::app
