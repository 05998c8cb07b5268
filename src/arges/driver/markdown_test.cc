#include "arges/driver/markdown.h"

#include <gtest/gtest.h>

namespace arges {
namespace {

TEST(Markdown, EscapesEverythingThatHtmlWouldUse) {
  EXPECT_EQ(markdown_to_html("<script>alert(1)</script>"),
            "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n");
}

TEST(Markdown, HeadingsHaveLevelsAndAnchors) {
  EXPECT_EQ(markdown_to_html("## The model `C5`, again"),
            "<h2 id=\"the-model-c5-again\">The model <code>C5</code>, again</h2>\n");
  EXPECT_EQ(markdown_to_html("#hash"), "<p>#hash</p>\n");
}

TEST(Markdown, ParagraphsEndAtBlankLines) {
  EXPECT_EQ(markdown_to_html("one\ntwo\r\n\n\nthree\n"), "<p>one\ntwo</p>\n<p>three</p>\n");
}

TEST(Markdown, EmphasisNeedsTextBesideItsMarks) {
  EXPECT_EQ(inline_markdown_to_html("*a* and **b c**"), "<em>a</em> and <strong>b c</strong>");
  EXPECT_EQ(inline_markdown_to_html("2 * 3 * 4, a*b"), "2 * 3 * 4, a*b");
  EXPECT_EQ(inline_markdown_to_html("c2_2 and x_dot_1, _but this_"),
            "c2_2 and x_dot_1, <em>but this</em>");
  EXPECT_EQ(inline_markdown_to_html("\\*no\\* **open"), "*no* **open");
  EXPECT_EQ(inline_markdown_to_html("*a `*` b*"), "<em>a <code>*</code> b</em>");
}

TEST(Markdown, CodeIsKeptAsItIs) {
  EXPECT_EQ(inline_markdown_to_html("`a*b*<c>` and ``x`y``"),
            "<code>a*b*&lt;c&gt;</code> and <code>x`y</code>");
  EXPECT_EQ(inline_markdown_to_html("`open"), "`open");
  EXPECT_EQ(markdown_to_html("```cpp\nif (a < b) {\n\n}\n```\nafter"),
            "<pre><code>if (a &lt; b) {\n\n}\n</code></pre>\n<p>after</p>\n");
  EXPECT_EQ(markdown_to_html("text:\n\n    y' = 1\n\n    z = 2\n\nafter"),
            "<p>text:</p>\n<pre><code>y&#39; = 1\n\nz = 2\n</code></pre>\n<p>after</p>\n");
}

TEST(Markdown, FormulasStayText) {
  EXPECT_EQ(inline_markdown_to_html("$a_1*b*c_2 < 3$"),
            "<span class=\"math\">a_1*b*c_2 &lt; 3</span>");
  EXPECT_EQ(inline_markdown_to_html("$5 and $6"), "$5 and $6");
  EXPECT_EQ(markdown_to_html("$$\nx = 1\ny = 2\n$$\n"),
            "<pre class=\"math\">x = 1\ny = 2\n</pre>\n");
  EXPECT_EQ(markdown_to_html("$$ x = 1 $$"), "<pre class=\"math\">x = 1\n</pre>\n");
  EXPECT_EQ(markdown_to_html("```math\nx\n```"), "<pre class=\"math\">x\n</pre>\n");
}

TEST(Markdown, OnlyAddressesThatWorkAnywhereAreLinks) {
  EXPECT_EQ(inline_markdown_to_html("[a *b*](https://x.org/?q=1&r=\"2)"),
            "<a href=\"https://x.org/?q=1&amp;r=&quot;2\">a <em>b</em></a>");
  EXPECT_EQ(inline_markdown_to_html("[here](#model)"), "<a href=\"#model\">here</a>");
  EXPECT_EQ(inline_markdown_to_html("[guide](../docs/guide.md)"), "guide");
  EXPECT_EQ(inline_markdown_to_html("[x](javascript:alert(1))"), "x");
  EXPECT_EQ(inline_markdown_to_html("<https://x.org>"),
            "<a href=\"https://x.org\">https://x.org</a>");
  EXPECT_EQ(inline_markdown_to_html("![a picture](p.svg)"), "<em>a picture</em>");
  EXPECT_EQ(inline_markdown_to_html("y[3] (see) and [open"), "y[3] (see) and [open");
}

TEST(Markdown, ListsNestAndMayBeLoose) {
  EXPECT_EQ(markdown_to_html("- a\n- b\n  more\n  1. c\n  2. d\n\nafter"),
            "<ul>\n<li>a</li>\n<li>b\nmore\n<ol>\n<li>c</li>\n<li>d</li>\n</ol></li>\n</ul>\n"
            "<p>after</p>\n");
  EXPECT_EQ(markdown_to_html("- a\n\n- b"), "<ul>\n<li><p>a</p></li>\n<li><p>b</p></li>\n</ul>\n");
}

TEST(Markdown, TablesHaveAlignmentAndMarkedUpCells) {
  EXPECT_EQ(markdown_to_html("| a | `b|c` |\n|---|--:|\n| 1 | **2** |\n| 3 |\n\nafter"),
            "<div class=\"wide\"><table>\n<thead>\n<tr><th>a</th><th "
            "class=\"number\"><code>b|c</code></th></tr>\n</thead>\n<tbody>\n"
            "<tr><td>1</td><td class=\"number\"><strong>2</strong></td></tr>\n"
            "<tr><td>3</td><td class=\"number\"></td></tr>\n</tbody>\n</table></div>\n"
            "<p>after</p>\n");
}

TEST(Markdown, QuotesRulesAndComments) {
  EXPECT_EQ(markdown_to_html("> a\n> b\n\n---\n<!-- no\nno -->\nc"),
            "<blockquote>\n<p>a\nb</p>\n</blockquote>\n<hr>\n<p>c</p>\n");
}

TEST(Markdown, UnfinishedConstructsEnd) {
  EXPECT_EQ(markdown_to_html("```\nopen"), "<pre><code>open\n</code></pre>\n");
  EXPECT_EQ(markdown_to_html("$$\nopen"), "<pre class=\"math\">open\n</pre>\n");
  EXPECT_EQ(markdown_to_html("<!-- open"), "");
  EXPECT_EQ(markdown_to_html("- "), "<ul>\n<li></li>\n</ul>\n");
  EXPECT_EQ(markdown_to_html(""), "");
}

}  // namespace
}  // namespace arges
