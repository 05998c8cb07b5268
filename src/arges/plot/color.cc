#include "arges/plot/color.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "arges/base/error.h"

namespace arges::plot {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Color parse_color(std::string_view text) {
  std::array<int, 6> d{};
  const bool is_short = text.size() == 4;
  bool good = (is_short || text.size() == 7) && text[0] == '#';
  for (std::size_t i = 0; good && i < d.size(); ++i) {
    d[i] = digit(text[is_short ? 1 + i / 2 : 1 + i]);
    good = d[i] >= 0;
  }
  if (!good)
    throw UserError(fmt::format("'{}' is no colour; write it as #rrggbb, e.g. #0072b2", text));
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(16 * d[i] + d[i + 1]); };
  return {byte(0), byte(2), byte(4), 1};
}

std::string hex(Color color) {
  return fmt::format("#{:02x}{:02x}{:02x}", color.r, color.g, color.b);
}

Color with_alpha(Color color, double alpha) {
  color.alpha = alpha;
  return color;
}

Color distinct_color(std::size_t index) {
  static constexpr std::array<Color, kDistinctColors> kColors = {{{0x00, 0x72, 0xb2},
                                                                  {0xd5, 0x5e, 0x00},
                                                                  {0x00, 0x9e, 0x73},
                                                                  {0xcc, 0x79, 0xa7},
                                                                  {0xe6, 0x9f, 0x00},
                                                                  {0x56, 0xb4, 0xe9},
                                                                  {0x5a, 0x5a, 0x5a}}};
  return kColors[index % kColors.size()];
}

std::vector<Color> sequential_colors(std::size_t n) {
  static constexpr std::array<Color, 8> kStops = {{{0x44, 0x01, 0x54},
                                                   {0x46, 0x32, 0x7e},
                                                   {0x36, 0x5c, 0x8d},
                                                   {0x27, 0x7f, 0x8e},
                                                   {0x1f, 0xa1, 0x87},
                                                   {0x4a, 0xc1, 0x6d},
                                                   {0x7f, 0xd0, 0x4a},
                                                   {0xb5, 0xcf, 0x1e}}};
  std::vector<Color> colors;
  for (std::size_t i = 0; i < n; ++i) {
    const double at = n == 1 ? 0
                             : static_cast<double>(i) / static_cast<double>(n - 1) *
                                   static_cast<double>(kStops.size() - 1);
    const std::size_t k = std::min(static_cast<std::size_t>(at), kStops.size() - 2);
    const auto mix = [w = at - static_cast<double>(k)](int a, int b) {
      return static_cast<std::uint8_t>(std::lround(a + w * (b - a)));
    };
    const Color &a = kStops[k], &b = kStops[k + 1];
    colors.push_back({mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b), 1});
  }
  return colors;
}

}  // namespace arges::plot
