#pragma once
// Markdown to HTML, for the pages of reports.

#include <string>
#include <string_view>

namespace arges {

// The part of Markdown that the lessons use:
//   blocks    headings with anchors, paragraphs, lists (nested), tables, block quotes, rules, code
//             in fences or indented, HTML comments (left out)
//   in lines  `code`, *emphasis*, **strong**, [text](address), <https://...>, backslash escapes
//   formulas  $x_1$, and blocks between lines of $$ or in a fence ```math: kept as they are written
// Everything else is text; HTML in the page is shown, not used. Pictures become their description
// and links within the project their text, since the page stands alone: only links with a scheme
// (https: or mailto:) and #anchors are links.
std::string markdown_to_html(std::string_view markdown);

// The text of one line or paragraph.
std::string inline_markdown_to_html(std::string_view text);

// "## The model `C5`" has the anchor "the-model-c5".
std::string heading_anchor(std::string_view heading);

}  // namespace arges
