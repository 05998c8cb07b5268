#include "arges/driver/markdown.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "arges/base/escape_markup.h"

namespace arges {

namespace {

constexpr std::size_t kCodeIndent = 4;

using Lines = std::vector<std::string_view>;

std::string_view trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
    text.remove_suffix(1);
  return text;
}

Lines split_lines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

bool is_blank(std::string_view line) { return trim(line).empty(); }

// The fence that a line opens (``` or ~~~, maybe longer); empty when it opens none.
std::string_view fence_of(std::string_view line) {
  line = trim(line);
  if (!line.starts_with("```") && !line.starts_with("~~~")) return {};
  const std::size_t length = std::min(line.find_first_not_of(line[0]), line.size());
  return line.substr(0, length);
}

std::size_t heading_level(std::string_view line) {
  const std::size_t level = std::min(line.find_first_not_of('#'), line.size());
  return level >= 1 && level <= 6 && level < line.size() && line[level] == ' ' ? level : 0;
}

bool is_rule(std::string_view line) {
  line = trim(line);
  return line.size() >= 3 && (line[0] == '-' || line[0] == '*' || line[0] == '_') &&
         line.find_first_not_of(line[0]) == std::string_view::npos;
}

struct ListMarker {
  std::size_t indent;   // of the marker
  std::size_t content;  // where the text begins
  bool ordered;
};

std::optional<ListMarker> list_marker(std::string_view line) {
  const std::size_t indent = indent_of(line);
  std::size_t at = indent;
  while (at < line.size() && std::isdigit(static_cast<unsigned char>(line[at])) != 0) ++at;
  const bool ordered = at > indent;
  if (at + 1 >= line.size() || line[at + 1] != ' ') return {};
  const char mark = line[at];
  if (ordered ? mark != '.' && mark != ')' : mark != '-' && mark != '*' && mark != '+') return {};
  return ListMarker{indent, at + 2, ordered};
}

std::vector<std::string_view> cells_of(std::string_view row) {
  row = trim(row);
  if (row.starts_with('|')) row.remove_prefix(1);
  if (row.ends_with('|') && !row.ends_with("\\|")) row.remove_suffix(1);
  std::vector<std::string_view> cells;
  std::size_t begin = 0;
  bool code = false;
  for (std::size_t at = 0; at < row.size(); ++at) {
    if (row[at] == '\\') {
      ++at;
    } else if (row[at] == '`') {
      code = !code;
    } else if (row[at] == '|' && !code) {
      cells.push_back(trim(row.substr(begin, at - begin)));
      begin = at + 1;
    }
  }
  cells.push_back(trim(row.substr(begin)));
  return cells;
}

// The line below the header of a table: |---|:--:|
bool is_table_rule(std::string_view line) {
  return line.find('-') != std::string_view::npos && line.find('|') != std::string_view::npos &&
         line.find_first_not_of("|-: ") == std::string_view::npos;
}

class Renderer {
 public:
  // `tight`: a paragraph that is alone is text without <p>, as in a list without blank lines.
  std::string render(const Lines& lines, bool tight = false) {
    lines_ = lines;
    for (at_ = 0; at_ < lines_.size();) block(tight);
    return std::move(out_);
  }

 private:
  bool begins_block(std::string_view line) const {
    return is_blank(line) || !fence_of(line).empty() || heading_level(line) > 0 || is_rule(line) ||
           line.starts_with('>') || list_marker(line) || trim(line).starts_with("$$");
  }

  void block(bool tight) {
    const std::string_view line = lines_[at_];
    if (is_blank(line)) {
      ++at_;
    } else if (!fence_of(line).empty()) {
      code();
    } else if (indent_of(line) >= kCodeIndent) {
      indented_code();
    } else if (const std::size_t level = heading_level(line)) {
      std::string_view text = trim(line.substr(level));
      while (text.ends_with('#')) text.remove_suffix(1);
      text = trim(text);
      out_ += fmt::format("<h{0} id=\"{1}\">{2}</h{0}>\n", level, heading_anchor(text),
                          inline_markdown_to_html(text));
      ++at_;
    } else if (is_rule(line)) {
      out_ += "<hr>\n";
      ++at_;
    } else if (line.starts_with("<!--")) {
      while (at_ < lines_.size() && lines_[at_].find("-->") == std::string_view::npos) ++at_;
      ++at_;
    } else if (trim(line).starts_with("$$")) {
      formula();
    } else if (line.starts_with('>')) {
      quote();
    } else if (list_marker(line)) {
      list();
    } else if (at_ + 1 < lines_.size() && line.find('|') != std::string_view::npos &&
               is_table_rule(lines_[at_ + 1])) {
      table();
    } else {
      paragraph(tight);
    }
  }

  void code() {
    const std::string_view fence = fence_of(lines_[at_]);
    const std::size_t indent = indent_of(lines_[at_]);
    const std::string_view info = trim(trim(lines_[at_]).substr(fence.size()));
    std::string text;
    for (++at_; at_ < lines_.size(); ++at_) {
      const std::string_view line = lines_[at_];
      if (fence_of(line).starts_with(fence) && trim(line).size() == fence_of(line).size()) break;
      text += escape_markup(line.substr(std::min(indent, indent_of(line)))) + "\n";
    }
    ++at_;
    out_ += info == "math" ? "<pre class=\"math\">" + text + "</pre>\n"
                           : "<pre><code>" + text + "</code></pre>\n";
  }

  void indented_code() {
    std::string text;
    std::size_t end = at_;  // blank lines count when more code follows
    for (std::size_t i = at_; i < lines_.size(); ++i) {
      if (!is_blank(lines_[i])) {
        if (indent_of(lines_[i]) < kCodeIndent) break;
        end = i + 1;
      }
    }
    for (; at_ < end; ++at_)
      text += escape_markup(lines_[at_].substr(std::min(kCodeIndent, lines_[at_].size()))) + "\n";
    out_ += "<pre><code>" + text + "</code></pre>\n";
  }

  // $$ x = 1 $$ on one line, or lines between two lines that begin and end with $$.
  void formula() {
    std::string text;
    std::string_view line = trim(lines_[at_++]).substr(2);
    while (!line.ends_with("$$") && at_ < lines_.size()) {
      if (!line.empty()) text += escape_markup(line) + "\n";
      line = trim(lines_[at_++]);
    }
    if (line.ends_with("$$")) line.remove_suffix(2);
    text += escape_markup(trim(line));
    while (text.ends_with('\n')) text.pop_back();
    out_ += "<pre class=\"math\">" + text + "\n</pre>\n";
  }

  void quote() {
    Lines inner;
    for (; at_ < lines_.size() && lines_[at_].starts_with('>'); ++at_) {
      std::string_view line = lines_[at_].substr(1);
      if (line.starts_with(' ')) line.remove_prefix(1);
      inner.push_back(line);
    }
    out_ += "<blockquote>\n" + Renderer().render(inner) + "</blockquote>\n";
  }

  void list() {
    const ListMarker first = *list_marker(lines_[at_]);
    std::vector<Lines> items;
    bool loose = false;
    while (at_ < lines_.size()) {
      const std::string_view line = lines_[at_];
      const auto marker = list_marker(line);
      if (is_blank(line)) {
        // Blank lines belong to the list when it goes on after them.
        std::size_t next = at_;
        while (next < lines_.size() && is_blank(lines_[next])) ++next;
        if (next == lines_.size()) break;
        const auto after = list_marker(lines_[next]);
        const bool goes_on =
            indent_of(lines_[next]) > first.indent ||
            (after && after->indent == first.indent && after->ordered == first.ordered);
        if (!goes_on) break;
        loose = true;
        items.back().insert(items.back().end(), next - at_, std::string_view());
        at_ = next;
      } else if (marker && marker->indent <= first.indent) {
        if (marker->indent < first.indent || marker->ordered != first.ordered) break;
        items.push_back({line.substr(marker->content)});
        ++at_;
      } else if (indent_of(line) > first.indent || !begins_block(line)) {
        items.back().push_back(line.substr(std::min(indent_of(line), first.content)));
        ++at_;
      } else {
        break;
      }
    }
    const char* tag = first.ordered ? "ol" : "ul";
    out_ += fmt::format("<{}>\n", tag);
    for (const Lines& item : items)
      out_ += "<li>" + std::string(trim(Renderer().render(item, !loose))) + "</li>\n";
    out_ += fmt::format("</{}>\n", tag);
  }

  void table() {
    const auto header = cells_of(lines_[at_]);
    std::vector<std::string_view> align;
    for (const std::string_view rule : cells_of(lines_[at_ + 1])) {
      const bool right = rule.ends_with(':'), left = rule.starts_with(':');
      align.push_back(right && left ? " class=\"centre\"" : right ? " class=\"number\"" : "");
    }
    const auto row = [&](const std::vector<std::string_view>& cells, const char* tag) {
      out_ += "<tr>";
      for (std::size_t c = 0; c < header.size(); ++c) {
        out_ += fmt::format("<{0}{1}>{2}</{0}>", tag, c < align.size() ? align[c] : "",
                            c < cells.size() ? inline_markdown_to_html(cells[c]) : "");
      }
      out_ += "</tr>\n";
    };
    out_ += "<div class=\"wide\"><table>\n<thead>\n";
    row(header, "th");
    out_ += "</thead>\n<tbody>\n";
    for (at_ += 2; at_ < lines_.size() && lines_[at_].find('|') != std::string_view::npos; ++at_)
      row(cells_of(lines_[at_]), "td");
    out_ += "</tbody>\n</table></div>\n";
  }

  void paragraph(bool tight) {
    std::string text(trim(lines_[at_++]));
    while (at_ < lines_.size() && !begins_block(lines_[at_]))
      text += "\n" + std::string(trim(lines_[at_++]));
    const std::string html = inline_markdown_to_html(text);
    out_ += tight ? html + "\n" : "<p>" + html + "</p>\n";
  }

  Lines lines_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string markdown_to_html(std::string_view markdown) {
  return Renderer().render(split_lines(markdown));
}

}  // namespace arges
