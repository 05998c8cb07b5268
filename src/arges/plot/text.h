#pragma once
// Text of a figure: UTF-8 with x_{sub} and x^{super}, and how wide it is. Widths come from a
// built-in table of DejaVu Sans, so that the layout needs no font and is the same everywhere.

#include <string>
#include <string_view>
#include <vector>

namespace arges::plot {

// A piece of text in one size; `rise` lifts its baseline, in units of the base size.
struct TextRun {
  std::string text;
  double scale = 1;
  double rise = 0;
};
using RichText = std::vector<TextRun>;

// Splits at _{...} and ^{...}. Invalid UTF-8 becomes U+FFFD and control characters become spaces,
// so that the result may stand in any file format. An unclosed brace is ordinary text.
RichText parse_text(std::string_view markup);

// Width in the unit of `size` (the font size). Bold text is taken to be 12 % wider.
double text_width(const RichText& text, double size, bool bold = false);

// The text as it is, or cut in the middle by "…" so that it is not wider than `width`.
RichText fit_text(const RichText& text, double size, double width, bool bold = false);

// A unit in Modelica's syntax as markup: "m/s2" -> "m/s^{2}", "N.m" -> "N·m", "degC" -> "°C".
std::string pretty_unit(std::string_view unit);

}  // namespace arges::plot
