#pragma once
// What trim, linearize and bode print and draw.

#include <complex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "arges/driver/run_model.h"
#include "arges/experiment/linearise.h"

namespace arges::app {

std::string text_of(std::complex<double> value);
nlohmann::ordered_json json_of(const std::vector<std::complex<double>>& values);
nlohmann::ordered_json json_of(const LinearModel& linear);
void print_linear(const LinearModel& linear);

// Every variable that exists at a point, by name.
std::vector<NamedValue> values_at(const HybridSystem& model, const Context& at);
nlohmann::ordered_json json_of(const std::vector<NamedValue>& values);

// In the complex plane; left of the line what decays.
void draw_eigenvalues(
    const std::string& path, const std::string& title,
    const std::vector<std::pair<std::string, std::vector<std::complex<double>>>>& eigenvalues);
void draw_bode(const std::string& path, const std::string& title, std::span<const double> omega,
               std::span<const double> decibels, std::span<const double> degrees);

}  // namespace arges::app
