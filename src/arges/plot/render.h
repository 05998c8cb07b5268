#pragma once
// From a figure to a file.

#include <filesystem>
#include <string>
#include <vector>

#include "arges/plot/figure.h"

namespace arges::plot {

// Draws into a file; the ending chooses the format: .svg, .png (200 dots per inch) or .pdf. The
// file is written beside and renamed, so that it is complete or not there. The same figure gives
// the same bytes. Returns warnings (plot/draw.h).
//
// UserError for any other ending, and for figures that cannot be drawn as asked; IoError if the
// file cannot be written; ApiError for series of unequal lengths.
std::vector<std::string> render(const Figure& figure, const std::filesystem::path& path);

// Throws what render() would throw for this path, before anything is computed: UserError for the
// ending, IoError for a folder that is missing or cannot be written to.
void check_picture_path(const std::filesystem::path& path);

// The figure as an <svg> element: a file of its own, or a part of an HTML page.
std::string render_svg(const Figure& figure, std::vector<std::string>* warnings = nullptr);
std::string render_png(const Figure& figure, std::vector<std::string>* warnings = nullptr,
                       double dots_per_inch = 200);
std::string render_pdf(const Figure& figure, std::vector<std::string>* warnings = nullptr);

}  // namespace arges::plot
