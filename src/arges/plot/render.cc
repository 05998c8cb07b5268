#include "arges/plot/render.h"

#include <fmt/format.h>

#include <cctype>

#include "arges/base/atomic_file.h"
#include "arges/base/error.h"
#include "arges/plot/canvas.h"
#include "arges/plot/draw.h"
#include "arges/plot/layout.h"

namespace arges::plot {
namespace {

std::string plain_text(const std::string& markup) {
  std::string out;
  for (const TextRun& run : parse_text(markup)) out += run.text;
  return out;
}

CanvasInfo info_of(const Figure& figure) {
  return {figure.width_mm * kPointsPerMm, figure.height_mm * kPointsPerMm,
          plain_text(figure.title)};
}

std::string finish(const Figure& figure, Canvas& canvas, std::vector<std::string>* warnings) {
  std::vector<std::string> found = draw(figure, canvas);
  if (warnings != nullptr) warnings->insert(warnings->end(), found.begin(), found.end());
  return canvas.finish();
}

// The ending in lower case, if it is one that can be drawn.
std::string picture_ending(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (ending != ".svg" && ending != ".png" && ending != ".pdf") {
    throw UserError(fmt::format("'{}': the ending {} is no picture format; use .svg, .png or .pdf",
                                path.string(), ending.empty() ? "(none)" : "'" + ending + "'"),
                    {"plot"});
  }
  return ending;
}

}  // namespace

std::string render_svg(const Figure& figure, std::vector<std::string>* warnings) {
  check_size(figure);
  return finish(figure, *make_svg_canvas(info_of(figure)), warnings);
}

std::string render_png(const Figure& figure, std::vector<std::string>* warnings,
                       double dots_per_inch) {
  check_size(figure);
  return finish(figure, *make_png_canvas(info_of(figure), dots_per_inch), warnings);
}

std::string render_pdf(const Figure& figure, std::vector<std::string>* warnings) {
  check_size(figure);
  return finish(figure, *make_pdf_canvas(info_of(figure)), warnings);
}

std::vector<std::string> render(const Figure& figure, const std::filesystem::path& path) {
  const std::string ending = picture_ending(path);
  std::vector<std::string> warnings;
  const std::string bytes = ending == ".svg"   ? render_svg(figure, &warnings)
                            : ending == ".png" ? render_png(figure, &warnings)
                                               : render_pdf(figure, &warnings);
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
  return warnings;
}

void check_picture_path(const std::filesystem::path& path) {
  picture_ending(path);
  AtomicFile probe(path);  // removed again, since it is not committed
}

}  // namespace arges::plot
