#include <cairo-pdf.h>
#include <cairo.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "arges/base/error.h"
#include "arges/plot/canvas.h"

namespace arges::plot {
namespace {

cairo_status_t append(void* closure, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

void check(cairo_status_t status) {
  if (status == CAIRO_STATUS_SUCCESS) return;
  if (status == CAIRO_STATUS_NO_MEMORY) throw std::bad_alloc();
  throw IoError(fmt::format("drawing failed: {}", cairo_status_to_string(status)));
}

// Draws PNG and PDF. The surface of a PDF writes into bytes_ as it goes; a PNG is encoded at the
// end.
class CairoCanvas final : public Canvas {
 public:
  enum class Kind { kPng, kPdf };

  CairoCanvas(Kind kind, const CanvasInfo& info, double dots_per_inch) : kind_(kind) {
    const double scale = kind == Kind::kPng ? dots_per_inch / 72 : 1;
    if (kind == Kind::kPng) {
      surface_ = cairo_image_surface_create(CAIRO_FORMAT_ARGB32,
                                            static_cast<int>(std::lround(info.width * scale)),
                                            static_cast<int>(std::lround(info.height * scale)));
    } else {
      surface_ = cairo_pdf_surface_create_for_stream(append, &bytes_, info.width, info.height);
      cairo_pdf_surface_set_metadata(surface_, CAIRO_PDF_METADATA_TITLE, info.title.c_str());
      cairo_pdf_surface_set_metadata(surface_, CAIRO_PDF_METADATA_CREATOR, "Arges");
      // Else the present time: the same figure would give other bytes each time.
      cairo_pdf_surface_set_metadata(surface_, CAIRO_PDF_METADATA_CREATE_DATE,
                                     "2000-01-01T00:00:00Z");
    }
    cr_ = cairo_create(surface_);
    cairo_scale(cr_, scale, scale);
    cairo_font_options_t* options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cr_, options);
    cairo_font_options_destroy(options);
  }
  ~CairoCanvas() override {
    cairo_destroy(cr_);
    cairo_surface_destroy(surface_);
  }
  CairoCanvas(const CairoCanvas&) = delete;
  CairoCanvas& operator=(const CairoCanvas&) = delete;

  void stroke(const Path& path, const Stroke& s) override {
    trace(path, false);
    set_color(s.color);
    cairo_set_line_width(cr_, s.width);
    cairo_set_line_cap(cr_, s.round ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
    cairo_set_line_join(cr_, s.round ? CAIRO_LINE_JOIN_ROUND : CAIRO_LINE_JOIN_MITER);
    cairo_set_dash(cr_, s.dashes.data(), static_cast<int>(s.dashes.size()), 0);
    cairo_stroke(cr_);
  }

  void fill(const Path& path, Color color) override {
    trace(path, true);
    set_color(color);
    cairo_fill(cr_);
  }

  void text(Point p, const RichText& runs, const TextStyle& style) override {
    cairo_save(cr_);
    cairo_translate(cr_, p.x, p.y);
    cairo_rotate(cr_, -style.angle * std::numbers::pi / 180);
    cairo_select_font_face(cr_, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    const auto advance = [&](const TextRun& run) {
      cairo_set_font_size(cr_, style.size * run.scale);
      cairo_text_extents_t extents;
      cairo_text_extents(cr_, run.text.c_str(), &extents);
      return extents.x_advance;
    };
    double width = 0;
    for (const TextRun& run : runs) width += advance(run);
    double x = style.anchor == Anchor::kStart ? 0
               : style.anchor == Anchor::kEnd ? -width
                                              : -width / 2;
    set_color(style.color);
    for (const TextRun& run : runs) {
      const double step = advance(run);
      cairo_move_to(cr_, x, -run.rise * style.size);
      cairo_show_text(cr_, run.text.c_str());
      x += step;
    }
    cairo_restore(cr_);
  }

  void clip(Rect r) override {
    cairo_save(cr_);
    cairo_rectangle(cr_, r.x, r.y, r.width, r.height);
    cairo_clip(cr_);
  }
  void unclip() override { cairo_restore(cr_); }

  std::string finish() override {
    check(cairo_status(cr_));
    if (kind_ == Kind::kPng) check(cairo_surface_write_to_png_stream(surface_, append, &bytes_));
    cairo_surface_finish(surface_);
    check(cairo_surface_status(surface_));
    return std::move(bytes_);
  }

 private:
  void set_color(Color c) {
    cairo_set_source_rgba(cr_, c.r / 255.0, c.g / 255.0, c.b / 255.0, c.alpha);
  }

  void trace(const Path& path, bool closed) {
    cairo_new_path(cr_);
    for (std::size_t k = 0; k < path.starts.size(); ++k) {
      for (std::size_t i = path.starts[k]; i < path.end_of(k); ++i) {
        const Point p = path.points[i];
        i == path.starts[k] ? cairo_move_to(cr_, p.x, p.y) : cairo_line_to(cr_, p.x, p.y);
      }
      if (closed || path.end_of(k) == path.starts[k] + 1) cairo_close_path(cr_);
    }
  }

  Kind kind_;
  std::string bytes_;
  cairo_surface_t* surface_ = nullptr;
  cairo_t* cr_ = nullptr;
};

}  // namespace

std::unique_ptr<Canvas> make_png_canvas(const CanvasInfo& info, double dots_per_inch) {
  return std::make_unique<CairoCanvas>(CairoCanvas::Kind::kPng, info, dots_per_inch);
}

std::unique_ptr<Canvas> make_pdf_canvas(const CanvasInfo& info) {
  return std::make_unique<CairoCanvas>(CairoCanvas::Kind::kPdf, info, 72);
}

}  // namespace arges::plot
