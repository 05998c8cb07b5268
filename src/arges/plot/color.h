#pragma once
// Colours and the palettes that plots take them from.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace arges::plot {

struct Color {
  std::uint8_t r = 0, g = 0, b = 0;
  double alpha = 1;  // 0 transparent, 1 opaque
  friend bool operator==(const Color&, const Color&) = default;
};

// "#rgb" or "#rrggbb"; anything else is a UserError.
Color parse_color(std::string_view text);

// "#rrggbb", without alpha.
std::string hex(Color color);

Color with_alpha(Color color, double alpha);

// The colours of Okabe and Ito, which remain distinct for colour-blind readers, ordered so that the
// first ones have the best contrast on paper; the pale yellow is left out. Repeats after
// kDistinctColors.
inline constexpr std::size_t kDistinctColors = 7;
Color distinct_color(std::size_t index);

// n colours from dark to light with steadily rising lightness (viridis without its palest end), for
// series that are ordered: a parameter sweep, quantiles.
std::vector<Color> sequential_colors(std::size_t n);

}  // namespace arges::plot
