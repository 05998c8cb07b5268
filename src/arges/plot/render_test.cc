#include "arges/plot/render.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <set>

#include "arges/base/error.h"
#include "arges/plot/sample_figures_for_test.h"

// Fontconfig keeps its configuration until the process ends; the leak checker counts that as lost.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig"; }

namespace arges::plot {
namespace {

// A strict reader of the XML that the SVG writer may use: elements, attributes in double quotes,
// the five entities, no comments, no prolog. Returns what is wrong, or "".
class XmlChecker {
 public:
  std::string check(const std::string& text) {
    text_ = text;
    at_ = 0;
    if (!element()) return error_;
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    if (at_ != text_.size()) fail("text after the root element");
    return error_;
  }
  std::set<std::string> ids;

 private:
  bool fail(const std::string& what) {
    error_ = what + " at " + std::to_string(at_) + ": " + text_.substr(at_, 40);
    return false;
  }
  bool take(const std::string& what) {
    if (text_.compare(at_, what.size(), what) != 0) return false;
    at_ += what.size();
    return true;
  }
  std::string name() {
    const std::size_t from = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                  text_[at_] == '-' || text_[at_] == ':'))
      ++at_;
    return text_.substr(from, at_ - from);
  }
  bool character() {
    if (text_[at_] == '&') {
      for (const char* entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"})
        if (take(entity)) return true;
      return fail("bad entity");
    }
    if (text_[at_] == '<') return fail("stray <");
    if (static_cast<unsigned char>(text_[at_]) < 0x20 && text_[at_] != '\n')
      return fail("control character");
    ++at_;
    return true;
  }
  bool attributes() {
    std::set<std::string> seen;
    while (take(" ")) {
      const std::string key = name();
      if (key.empty() || !seen.insert(key).second) return fail("bad or repeated attribute");
      if (!take("=\"")) return fail("no value");
      const std::size_t from = at_;
      while (at_ < text_.size() && text_[at_] != '"')
        if (!character()) return false;
      const std::string value = text_.substr(from, at_ - from);
      if (key == "id" && !ids.insert(value).second) return fail("repeated id");
      if (value.find("nan") != std::string::npos || value.find("inf") != std::string::npos)
        if (key != "aria-label") return fail("no number");
      if (!take("\"")) return fail("open value");
    }
    return true;
  }
  bool element() {
    if (!take("<")) return fail("no element");
    const std::string tag = name();
    if (tag.empty()) return fail("no name");
    if (!attributes()) return false;
    if (take("/>")) return true;
    if (!take(">")) return fail("open tag");
    while (at_ < text_.size()) {
      if (text_.compare(at_, 2, "</") == 0) break;
      if (text_[at_] == '<' ? !element() : !character()) return false;
    }
    return take("</" + tag + ">") || fail("no end of " + tag);
  }

  std::string text_, error_;
  std::size_t at_ = 0;
};

Figure wave() {
  std::vector<double> t, y;
  for (int i = 0; i <= 1000; ++i) {
    t.push_back(i * 0.01);
    y.push_back(std::sin(t.back()));
  }
  Figure figure = make_figure("Wave", {"t", "s"}, {"y", "m"});
  figure.panel().add(line(t, y, "y"));
  return figure;
}

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t v = 0;
  for (std::size_t i = 0; i < 4; ++i) v = v << 8 | static_cast<unsigned char>(bytes.at(at + i));
  return v;
}

class InFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("arges-plot-" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string read(const std::string& name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::filesystem::path folder_;
};
using RenderedFile = InFolder;

TEST(XmlCheckerItself, FindsFaults) {
  EXPECT_EQ(XmlChecker().check("<a b=\"1\"><c/>x &amp; y</a>\n"), "");
  for (const char* bad : {"<a>", "<a></b>", "<a b=\"1\" b=\"2\"/>", "<a>&</a>", "<a b=\"<\"/>",
                          "<a/>x", "<a b=1/>", "<a><b id=\"1\"/><b id=\"1\"/></a>"})
    EXPECT_NE(XmlChecker().check(bad), "") << bad;
}

TEST(Svg, IsWellFormedWhateverTheData) {
  for (const auto& [name, figure] : sample_figures())
    EXPECT_EQ(XmlChecker().check(render_svg(figure)), "") << name;
}

TEST(Svg, KeepsTextAsText) {
  Figure figure = wave();
  figure.title = "a < b & c";
  const std::string svg = render_svg(figure);
  EXPECT_NE(svg.find(">a &lt; b &amp; c</text>"), std::string::npos);
  EXPECT_NE(svg.find(">t (s)</text>"), std::string::npos);
  EXPECT_NE(svg.find("font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\""),
            std::string::npos);
}

TEST(Svg, HasIdsThatDifferFromThoseOfOtherFigures) {
  XmlChecker both;
  Figure other = wave();
  other.title = "Another";
  EXPECT_EQ(both.check("<div>" + render_svg(wave()) + render_svg(other) + "</div>"), "");
  EXPECT_EQ(both.ids.size(), 2u);
}

TEST(Svg, OfAMillionPointsIsSmall) {
  std::vector<double> x, y;
  for (int i = 0; i < 1'000'000; ++i) {
    x.push_back(i);
    y.push_back(std::fmod(i * 0.618033988749895, 1));
  }
  Figure figure = make_figure("", {"x"}, {"y"});
  figure.panel().add(line(x, y));
  EXPECT_LT(render_svg(figure).size(), 120'000u);
  figure.panel().series[0].style = Style::kPoints;
  EXPECT_LT(render_svg(figure).size(), 3'000'000u);
}

TEST(Rendering, GivesTheSameBytesEachTime) {
  for (const auto& [name, figure] : sample_figures()) {
    if (name != "lines" && name != "stack") continue;
    EXPECT_EQ(render_svg(figure), render_svg(figure));
    EXPECT_EQ(render_png(figure), render_png(figure));
    EXPECT_EQ(render_pdf(figure), render_pdf(figure));
  }
  EXPECT_NE(render_pdf(wave()).find("20000101000000"), std::string::npos);  // not today's date
}

TEST(Rendering, OfPixelsAndPagesStandsAnyData) {
  for (const auto& [name, figure] : sample_figures()) {
    EXPECT_EQ(render_png(figure, nullptr, 50).substr(1, 3), "PNG") << name;
    EXPECT_EQ(render_pdf(figure).substr(0, 5), "%PDF-") << name;
  }
}

TEST(Png, HasTheSizeAskedFor) {
  const std::string png = render_png(wave());
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(big_endian(png, 16), 1260u);  // 160 mm at 200 dots per inch
  EXPECT_EQ(big_endian(png, 20), 787u);
}

TEST(Png, IsNotBlank) {
  Figure empty;
  empty.title = "";
  EXPECT_GT(render_png(wave()).size(), 4 * render_png(empty).size());
}

TEST_F(RenderedFile, HasTheFormatOfItsEnding) {
  render(wave(), folder_ / "a.svg");
  render(wave(), folder_ / "a.PNG");
  render(wave(), folder_ / "a.pdf");
  EXPECT_EQ(read("a.svg").substr(0, 5), "<svg ");
  EXPECT_EQ(read("a.PNG").substr(1, 3), "PNG");
  EXPECT_EQ(read("a.pdf").substr(0, 5), "%PDF-");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_)) ++files;
  EXPECT_EQ(files, 3u);  // nothing else is left behind
}

TEST_F(RenderedFile, OfUnknownFormatIsRefusedWithTheListOfFormats) {
  for (const char* name : {"a.jpg", "a", "a.svg.gz"}) try {
      render(wave(), folder_ / name);
      FAIL() << name;
    } catch (const UserError& e) {
      EXPECT_NE(std::string(e.what()).find(".svg, .png or .pdf"), std::string::npos) << e.what();
    }
}

TEST_F(RenderedFile, ThatCannotBeWrittenIsAnIoError) {
  EXPECT_THROW(render(wave(), folder_ / "missing" / "a.svg"), IoError);
}

TEST_F(RenderedFile, ReturnsWarnings) {
  Figure figure = wave();
  figure.panel().y.scale = Scale::kLog;
  EXPECT_EQ(render(figure, folder_ / "a.svg").size(), 1u);
}

TEST(Figures, OfImpossibleSizeAreRefused) {
  for (const double mm : {0.0, -5.0, 1e6, static_cast<double>(NAN)}) {
    Figure figure = wave();
    figure.width_mm = mm;
    EXPECT_THROW(render_svg(figure), UserError);
    EXPECT_THROW(render_png(figure), UserError);
  }
}

}  // namespace
}  // namespace arges::plot
