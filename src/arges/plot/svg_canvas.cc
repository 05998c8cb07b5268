#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <iterator>

#include "arges/base/escape_markup.h"
#include "arges/plot/canvas.h"

namespace arges::plot {
namespace {

// Coordinates are kept as hundredths of a point: finer than any eye or printer, short to write, and
// without drift when written as differences.
long hundredths(double v) { return std::lround(v * 100); }

void append_number(std::string& out, long h) {
  if (h < 0) out += '-';
  const long a = std::labs(h), whole = a / 100, part = a % 100;
  if (whole != 0 || part == 0) out += std::to_string(whole);
  if (part != 0) {
    out += '.';
    out += static_cast<char>('0' + part / 10);
    if (part % 10 != 0) out += static_cast<char>('0' + part % 10);
  }
}

std::string number(double v) {
  std::string out;
  append_number(out, hundredths(v));
  return out;
}

std::string path_data(const Path& path, bool closed) {
  std::string d;
  for (std::size_t k = 0; k < path.starts.size(); ++k) {
    long x = 0, y = 0;
    char command = 0;
    for (std::size_t i = path.starts[k]; i < path.end_of(k); ++i) {
      const long nx = hundredths(path.points[i].x), ny = hundredths(path.points[i].y);
      const auto pair = [&](char letter, long a, long b) {
        if (command != letter)
          d += letter;
        else if (a >= 0)
          d += ' ';
        append_number(d, a);
        if (b >= 0) d += ' ';
        append_number(d, b);
      };
      const auto single = [&](char letter, long a) {
        d += letter;
        append_number(d, a);
        command = letter;
      };
      if (i == path.starts[k]) {
        pair('M', nx, ny);
        if (i + 1 == path.end_of(k)) d += "h0";
      } else if (nx == x && ny == y) {
        continue;
      } else if (ny == y) {
        single('h', nx - x);
      } else if (nx == x) {
        single('v', ny - y);
      } else {
        pair('l', nx - x, ny - y);
        command = 'l';
      }
      x = nx;
      y = ny;
    }
    if (closed) d += 'z';
  }
  return d;
}

// Identifiers of one document must differ when several figures stand in it, and must not change
// from one run to the next: they carry a hash of the figure's content (FNV-1a).
std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t h = 14695981039346656037u;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return h;
}

constexpr char kIdMark = '\x01';  // stands for the prefix of identifiers until it is known

class SvgCanvas final : public Canvas {
 public:
  explicit SvgCanvas(const CanvasInfo& info) : info_(info) {}

  void stroke(const Path& path, const Stroke& s) override {
    if (path.empty()) return;
    put("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"", path_data(path, false),
        hex(s.color), number(s.width));
    opacity("stroke-opacity", s.color);
    if (s.round) body_ += " stroke-linecap=\"round\" stroke-linejoin=\"round\"";
    if (!s.dashes.empty()) {
      body_ += " stroke-dasharray=\"";
      for (std::size_t i = 0; i < s.dashes.size(); ++i) {
        if (i > 0) body_ += ' ';
        body_ += number(s.dashes[i]);
      }
      body_ += '"';
    }
    body_ += "/>\n";
  }

  void fill(const Path& path, Color color) override {
    if (path.empty()) return;
    put("<path d=\"{}\" fill=\"{}\"", path_data(path, true), hex(color));
    opacity("fill-opacity", color);
    body_ += "/>\n";
  }

  void text(Point p, const RichText& runs, const TextStyle& style) override {
    if (runs.empty()) return;
    if (style.angle == 0)
      put("<text x=\"{}\" y=\"{}\"", number(p.x), number(p.y));
    else
      put("<text transform=\"translate({} {}) rotate({})\"", number(p.x), number(p.y),
          number(-style.angle));
    put(" font-size=\"{}\" fill=\"{}\"", number(style.size), hex(style.color));
    if (style.anchor != Anchor::kStart)
      put(" text-anchor=\"{}\"", style.anchor == Anchor::kEnd ? "end" : "middle");
    if (style.bold) body_ += " font-weight=\"bold\"";
    body_ += '>';
    double rise = 0;
    for (const TextRun& run : runs) {
      if (run.scale == 1 && run.rise == rise) {
        body_ += escape_markup(run.text);
        continue;
      }
      put("<tspan dy=\"{}\" font-size=\"{}\">{}</tspan>", number((rise - run.rise) * style.size),
          number(run.scale * style.size), escape_markup(run.text));
      rise = run.rise;
    }
    body_ += "</text>\n";
  }

  void clip(Rect r) override {
    put("<clipPath id=\"{0}{1}\"><rect x=\"{2}\" y=\"{3}\" width=\"{4}\" "
        "height=\"{5}\"/></clipPath>\n"
        "<g clip-path=\"url(#{0}{1})\">\n",
        kIdMark, clips_++, number(r.x), number(r.y), number(r.width), number(r.height));
  }

  void unclip() override { body_ += "</g>\n"; }

  std::string finish() override {
    const double mm = 25.4 / 72;
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}mm\" height=\"{}mm\" "
        "viewBox=\"0 0 {} {}\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" "
        "xml:space=\"preserve\" role=\"img\" aria-label=\"{}\">\n",
        number(info_.width * mm), number(info_.height * mm), number(info_.width),
        number(info_.height), escape_markup(info_.title));
    const std::string prefix = fmt::format("arges{:016x}-", fingerprint(body_));
    for (const char c : body_) {
      if (c == kIdMark)
        out += prefix;
      else
        out += c;
    }
    return out += "</svg>\n";
  }

 private:
  template <class... T>
  void put(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(body_), format, std::forward<T>(values)...);
  }
  void opacity(const char* name, Color color) {
    if (color.alpha < 1) put(" {}=\"{}\"", name, number(color.alpha));
  }

  CanvasInfo info_;
  std::string body_;
  int clips_ = 0;
};

}  // namespace

std::unique_ptr<Canvas> make_svg_canvas(const CanvasInfo& info) {
  return std::make_unique<SvgCanvas>(info);
}

}  // namespace arges::plot
