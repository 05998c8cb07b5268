#include "linear_output.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arges/plot/figure.h"
#include "arges/plot/render.h"
#include "commands.h"
#include "console.h"

namespace arges::app {

using Json = nlohmann::ordered_json;
using Complex = std::complex<double>;

namespace {

Json json_of(const Matrix& matrix) {
  Json rows = Json::array();
  for (int i = 0; i < matrix.rows; ++i) {
    Json row = Json::array();
    for (int j = 0; j < matrix.columns; ++j) row.push_back(matrix(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

void print_matrix(const char* name, const Matrix& matrix) {
  if (matrix.values.empty()) return;
  fmt::print("{}\n", name);
  for (int i = 0; i < matrix.rows; ++i) {
    for (int j = 0; j < matrix.columns; ++j) fmt::print(" {:>15.8g}", matrix(i, j));
    fmt::print("\n");
  }
}

}  // namespace

Json json_of(const std::vector<Complex>& values) {
  Json list = Json::array();
  for (const Complex value : values) list.push_back({value.real(), value.imag()});
  return list;
}

std::string text_of(Complex value) {
  if (value.imag() == 0) return fmt::format("{:.12g}", value.real());
  return fmt::format("{:.12g} {} {:.12g}i", value.real(), value.imag() < 0 ? '-' : '+',
                     std::abs(value.imag()));
}

std::vector<NamedValue> values_at(const HybridSystem& model, const Context& at) {
  const Schema& schema = model.schema();
  std::vector<NamedValue> values;
  const auto add = [&](const std::vector<VariableInfo>& list, const std::vector<double>& numbers) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list[i].hidden && !is_made_by_arges(list[i].name))
        values.push_back({list[i].name, numbers[i], list[i].type});
    }
  };
  add(schema.modes[at.mode.index].states, at.x);
  std::vector<double> outputs(schema.outputs.size());
  model.outputs(point_at(at), Outputs(outputs.data()));
  add(schema.outputs, outputs);
  add(schema.discretes, at.z);
  add(schema.inputs, at.u);
  return values;
}

Json json_of(const std::vector<NamedValue>& values) {
  Json object = Json::object();
  for (const NamedValue& value : values) object[value.name] = json_value(value);
  return object;
}

Json json_of(const LinearModel& linear) {
  return {{"states", linear.states},       {"inputs", linear.inputs},
          {"outputs", linear.outputs},     {"A", json_of(linear.A)},
          {"B", json_of(linear.B)},        {"C", json_of(linear.C)},
          {"D", json_of(linear.D)},        {"eigenvalues", json_of(linear.eigenvalues)},
          {"stiffness", linear.stiffness}, {"time", linear.time}};
}

void print_linear(const LinearModel& linear) {
  fmt::print("t = {:.10g}\n", linear.time);
  fmt::print("states: {}\n", fmt::join(linear.states, ", "));
  if (!linear.inputs.empty()) fmt::print("inputs: {}\n", fmt::join(linear.inputs, ", "));
  if (!linear.outputs.empty()) fmt::print("outputs: {}\n", fmt::join(linear.outputs, ", "));
  print_matrix("A", linear.A);
  print_matrix("B", linear.B);
  print_matrix("C", linear.C);
  print_matrix("D", linear.D);
  fmt::print("eigenvalues\n");
  for (const Complex value : linear.eigenvalues) fmt::print("  {}\n", text_of(value));
  if (linear.stiffness > 0) fmt::print("stiffness ratio: {:.6g}\n", linear.stiffness);
}

void draw_eigenvalues(
    const std::string& path, const std::string& title,
    const std::vector<std::pair<std::string, std::vector<Complex>>>& eigenvalues) {
  plot::Figure figure =
      plot::make_figure(title, {"real part of the eigenvalues", "1/s"}, {"imaginary part", "1/s"});
  for (const auto& [name, values] : eigenvalues) {
    std::vector<double> re, im;
    for (const Complex value : values) {
      re.push_back(value.real());
      im.push_back(value.imag());
    }
    figure.panel().add(plot::points(std::move(re), std::move(im), name));
  }
  figure.panel().references.push_back({.value = 0, .vertical = true});
  if (eigenvalues.size() > 8) figure.panel().palette = plot::Palette::kSequential;
  for (const std::string& warning : plot::render(figure, path)) print_note(warning);
}

void draw_bode(const std::string& path, const std::string& title, std::span<const double> omega,
               std::span<const double> decibels, std::span<const double> degrees) {
  plot::Figure figure = plot::make_stack(title, plot::log_axis("angular frequency", "rad/s"),
                                         {{"magnitude", "dB"}, {"phase", "deg"}});
  const std::vector<double> x(omega.begin(), omega.end());
  figure.panels[0].add(plot::line(x, {decibels.begin(), decibels.end()}));
  figure.panels[1].add(plot::line(x, {degrees.begin(), degrees.end()}));
  for (const std::string& warning : plot::render(figure, path)) print_note(warning);
}

}  // namespace arges::app
