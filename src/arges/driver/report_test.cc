#include "arges/driver/report.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "testing/temp_folder.h"

namespace arges {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

Benchmark sample() {
  return {"X1", "Sample <&>", "", [](BenchmarkReport& report) {
            report.begin_task("a", "First");
            report.text("A paragraph with a < b.");
            report.compare("one", 1.0, 1.0, 1e-3, ReferenceSource::kPublished);
            report.compare("two", 2.1, 2.0, 1e-3, ReferenceSource::kReference);
            report.compare("three", 3.0, 3.0, 1e-3, ReferenceSource::kAssumed);
            plot::Figure figure = plot::make_figure("F", {"x", ""}, {"y", ""});
            figure.panel().add(plot::line({0, 1}, {0, 1}));
            report.figure("x1 fig/ure", "A caption.", figure);
            report.table("A table", {{"name", "n"}, {"<p>", "12"}});
          }};
}

TEST(Report, HoldsTextsTablesFiguresAndComparisons) {
  const std::string page = report_page({solve(sample(), "# Lesson")});
  EXPECT_NE(page.find("<h2>X1 Sample &lt;&amp;&gt;</h2>"), std::string::npos);
  EXPECT_NE(page.find("<h3>Task a: First</h3>"), std::string::npos);
  EXPECT_NE(page.find("<p>A paragraph with a &lt; b.</p>"), std::string::npos);
  EXPECT_NE(page.find("<td>&lt;p&gt;</td><td class=\"number\">12</td>"), std::string::npos);
  EXPECT_NE(page.find("<a href=\"lesson-X1.html\">"), std::string::npos);
  EXPECT_NE(page.find("2 of 3 computed values are within"), std::string::npos);
  EXPECT_EQ(count(page, "<svg"), 1u);
  EXPECT_EQ(count(page, "<tr class=\"assumed\">"), 1u);
  EXPECT_EQ(count(page, "assumed, not published"), 2u);  // the legend, and the one row
}

TEST(Report, NeedsNothingFromElsewhere) {
  const std::string page = report_page({solve(sample(), "")});
  for (const char* loader : {"src=", "<link", "<script", "@import", "url(http"}) {
    EXPECT_EQ(page.find(loader), std::string::npos) << loader;
  }
}

TEST(Report, IsTheSameForTheSameResults) {
  EXPECT_EQ(report_page({solve(sample(), "x")}), report_page({solve(sample(), "x")}));
}

TEST(Report, WritesPagesAndFiguresIntoANewFolder) {
  const test::TempFolder folder;
  const auto index = write_report({solve(sample(), "# The *lesson*"), solve(sample(), "")},
                                  folder.path() / "new" / "report");
  EXPECT_EQ(index, folder.path() / "new" / "report" / "index.html");
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(index.parent_path()))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"index.html", "lesson-X1.html", "x1-fig-ure-2.svg",
                                             "x1-fig-ure.svg"}));
  EXPECT_NE(read(index.parent_path() / "lesson-X1.html").find("The <em>lesson</em></h1>"),
            std::string::npos);
  EXPECT_NE(read(index.parent_path() / "x1-fig-ure.svg").find("<svg"), std::string::npos);
}

TEST(Report, AFolderThatCannotBeMadeIsAnIoError) {
  const test::TempFolder folder;
  std::ofstream(folder.path() / "file") << "x";
  EXPECT_THROW(prepare_report_folder(folder.path() / "file"), IoError);
  EXPECT_THROW(prepare_report_folder(folder.path() / "file" / "below"), IoError);
  prepare_report_folder(folder.path() / "fine");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path() / "fine"));
}

TEST(Benchmark, ThatThrowsKeepsWhatItReportedBefore) {
  const Benchmark broken{"X2", "Broken", "", [](BenchmarkReport& report) {
                           report.begin_task("a", "");
                           report.compare("one", 1, 1, 0, ReferenceSource::kReference);
                           throw std::runtime_error("no convergence at <t>");
                         }};
  const SolvedBenchmark solved = solve(broken, "");
  EXPECT_EQ(solved.failure, "no convergence at <t>");
  EXPECT_EQ(solved.rows_ok(), 1u);
  EXPECT_FALSE(solved.ok());
  const std::string page = report_page({solved});
  EXPECT_NE(page.find("no convergence at &lt;t&gt;"), std::string::npos);
  EXPECT_NE(page.find("1 benchmark did not run to the end"), std::string::npos);
}

TEST(Benchmark, ValuesHaveTheDigitsOfTheirTolerance) {
  EXPECT_EQ(format_value(1.7301055916123, 1.7e-8), "1.730105592");
  EXPECT_EQ(format_value(84.9218895541, 8.5e-7), "84.92188955");
  EXPECT_EQ(format_value(1.0 / 3, 1e-20), "0.33333333333333331");
  EXPECT_EQ(format_value(2.4791234e-26, 1e-8), "2.479e-26");
  EXPECT_EQ(format_value(62, 0), "62");
  EXPECT_EQ(format_value(0, 1e-3), "0");
}

}  // namespace
}  // namespace arges
