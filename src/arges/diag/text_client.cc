#include "arges/diag/text_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "arges/diag/utf8.h"

namespace arges::diag {
namespace {

constexpr std::uint32_t kTabStop = 4;

struct Style {
  std::string_view error, warning, strong, frame, primary, secondary, off;
};
constexpr Style kPlain = {};
constexpr Style kColour = {"\x1b[1;31m", "\x1b[1;33m", "\x1b[1m", "\x1b[1;34m",
                           "\x1b[1;31m", "\x1b[1;34m", "\x1b[0m"};

// A label seen on one line: [begin, end) are byte offsets into the file, clipped to the line.
struct Mark {
  std::uint32_t begin;
  std::uint32_t end;
  bool primary;
  bool continues;  // the range goes on in later lines
  const std::string* text;
};

// The marked part of one source line, as a terminal shows it.
struct Rendered {
  std::string shown;
  std::vector<int> column;  // column of each byte from `from` on, and one more
  std::uint32_t from = 0;
};

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// A line is shown whole when it is short; otherwise a window that begins a little before the first
// mark. Only the window is looked at, so a line of 100 MB costs nothing.
Rendered render(const SourceFile& file, std::uint32_t line, std::uint32_t first_mark, int width) {
  const std::string_view text = file.line(line);
  const std::uint32_t begin = file.line_begin(line);
  const auto columns = static_cast<std::size_t>(width);
  std::size_t from = 0;
  std::size_t to = text.size();
  if (text.size() > columns) {
    const std::size_t mark = std::min<std::size_t>(first_mark - begin, text.size());
    from = mark > columns / 2 ? mark - columns / 2 : 0;
    while (from > 0 && from < text.size() && is_continuation(text[from])) --from;
    to = std::min(text.size(), from + columns);
    while (to < text.size() && is_continuation(text[to])) ++to;
  }
  Rendered out;
  out.from = begin + static_cast<std::uint32_t>(from);
  int column = 0;
  if (from > 0) {
    out.shown = "…";
    column = 1;
  }
  for (std::size_t i = from; i < to;) {
    const CodePoint c = decode(text, i);
    for (int k = 0; k < c.length; ++k) out.column.push_back(column);
    if (c.value == '\t') {
      const int next = (column / static_cast<int>(kTabStop) + 1) * static_cast<int>(kTabStop);
      out.shown.append(static_cast<std::size_t>(next - column), ' ');
      column = next;
    } else if (!c.valid || c.value < 0x20 || (c.value >= 0x7F && c.value < 0xA0)) {
      out.shown += "\uFFFD";
      ++column;
    } else {
      out.shown += text.substr(i, c.length);
      column += display_width(c.value);
    }
    i += c.length;
  }
  out.column.push_back(column);
  if (to < text.size()) out.shown += "…";
  return out;
}

int column_of(const Rendered& r, std::uint32_t offset) {
  const std::size_t i = offset <= r.from ? 0 : offset - r.from;
  return r.column[std::min(i, r.column.size() - 1)];
}

struct MarkedLine {
  std::uint32_t line;
  std::vector<Mark> marks;
};

class Writer {
 public:
  Writer(const Diagnostic& d, const TextOptions& options)
      : d_(d), options_(options), style_(options.colour ? kColour : kPlain) {}

  std::string write() {
    const bool is_error = d_.severity() == Severity::kError;
    out_ += fmt::format("{}{}[{}]{}{}: {}{}\n", is_error ? style_.error : style_.warning,
                        is_error ? "error" : "warning", info(d_.code).id, style_.off, style_.strong,
                        d_.message, style_.off);
    gutter_ = gutter_width();
    if (d_.primary.span.file != nullptr) {
      write_file(*d_.primary.span.file, true);
      for (const Label& label : d_.secondary) {
        if (label.span.file != d_.primary.span.file && label.span.file != nullptr &&
            std::find(done_.begin(), done_.end(), label.span.file) == done_.end()) {
          write_file(*label.span.file, false);
        }
      }
    }
    for (const std::string& text : d_.notes) write_remark("note", text);
    for (const std::string& text : d_.help) write_remark("help", text);
    if (options_.more) write_remark("more", fmt::format("arges explain {}", info(d_.code).id));
    return std::move(out_);
  }

 private:
  int gutter_width() const {
    std::uint32_t last = 1;
    const auto look = [&](const Label& label) {
      if (label.span.file == nullptr) return;
      last = std::max(last, label.span.file->line_column(label.span.range.begin).line);
    };
    look(d_.primary);
    for (const Label& label : d_.secondary) look(label);
    return static_cast<int>(std::to_string(last).size());
  }

  void frame(std::string_view rest) {
    out_ += fmt::format("{:{}} {}|{}{}{}\n", "", gutter_, style_.frame, style_.off,
                        rest.empty() ? "" : " ", rest);
  }

  void write_remark(std::string_view kind, const std::string& text) {
    out_ += fmt::format("{:{}} {}={} {}{}{}: ", "", gutter_, style_.frame, style_.off,
                        style_.strong, kind, style_.off);
    // Further lines of a remark are indented to its text.
    for (const char c : text) {
      out_ += c;
      if (c == '\n') out_.append(static_cast<std::size_t>(gutter_) + 5 + kind.size(), ' ');
    }
    out_ += '\n';
  }

  static void add_mark(std::vector<MarkedLine>& lines, const Label& label, bool primary) {
    const SourceFile& file = *label.span.file;
    const std::uint32_t begin = label.span.range.begin;
    const std::uint32_t line = file.line_column(begin).line;
    const auto line_end =
        file.line_begin(line) + static_cast<std::uint32_t>(file.line(line).size());
    const bool continues = label.span.range.end > line_end + 1;
    const std::uint32_t end = std::min(label.span.range.end, std::max(line_end, begin));
    auto it = std::find_if(lines.begin(), lines.end(),
                           [&](const MarkedLine& m) { return m.line == line; });
    if (it == lines.end()) it = lines.insert(it, MarkedLine{line, {}});
    it->marks.push_back({begin, end, primary, continues, &label.text});
  }

  void write_file(const SourceFile& file, bool first) {
    done_.push_back(&file);
    std::vector<MarkedLine> lines;
    const Label* head = nullptr;
    if (d_.primary.span.file == &file) {
      add_mark(lines, d_.primary, true);
      head = &d_.primary;
    }
    for (const Label& label : d_.secondary) {
      if (label.span.file != &file) continue;
      add_mark(lines, label, false);
      if (head == nullptr) head = &label;
    }
    std::sort(lines.begin(), lines.end(),
              [](const MarkedLine& a, const MarkedLine& b) { return a.line < b.line; });
    const LineColumn at = file.line_column(head->span.range.begin);
    out_ += fmt::format("{:{}}{}{}{} {}:{}:{}\n", "", gutter_, style_.frame,
                        first ? "-->" : ":::", style_.off, file.path(), at.line,
                        character_column(file, head->span.range.begin, at));
    frame("");
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i > 0 && lines[i].line != lines[i - 1].line + 1) frame("");
      write_line(file, lines[i]);
    }
  }

  // The column that editors show: characters, not bytes (bytes on a line too long to count).
  static std::uint32_t character_column(const SourceFile& file, std::uint32_t offset,
                                        LineColumn at) {
    if (at.column > 100000) return at.column;
    std::uint32_t column = 1;
    for (std::uint32_t i = file.line_begin(at.line); i < offset && i < file.text().size();) {
      i += decode(file.text(), i).length;
      ++column;
    }
    return column;
  }

  void write_line(const SourceFile& file, MarkedLine& line) {
    std::stable_sort(line.marks.begin(), line.marks.end(),
                     [](const Mark& a, const Mark& b) { return a.begin < b.begin; });
    const auto primary =
        std::find_if(line.marks.begin(), line.marks.end(), [](const Mark& m) { return m.primary; });
    const Mark& focus = primary == line.marks.end() ? line.marks.front() : *primary;
    const Rendered r = render(file, line.line, focus.begin, options_.width);
    out_ += fmt::format("{}{:{}} |{}{}{}\n", style_.frame, line.line, gutter_, style_.off,
                        r.shown.empty() ? "" : " ", r.shown);
    for (const Mark& mark : line.marks) {
      const int from = column_of(r, mark.begin);
      const int to = std::max(column_of(r, mark.end), from + 1);
      const char sign = mark.primary ? '^' : '-';
      frame(fmt::format(
          "{:{}}{}{}{}{}{}{}", "", from, mark.primary ? style_.primary : style_.secondary,
          std::string(static_cast<std::size_t>(to - from), sign), mark.continues ? "..." : "",
          mark.text->empty() ? "" : " ", *mark.text, style_.off));
    }
  }

  const Diagnostic& d_;
  const TextOptions& options_;
  const Style& style_;
  int gutter_ = 1;
  std::vector<const SourceFile*> done_;
  std::string out_;
};

}  // namespace

std::string to_text(const Diagnostic& d, const TextOptions& options) {
  return Writer(d, options).write();
}

std::string to_text(const Diagnostics& all, const TextOptions& options) {
  std::string out;
  std::size_t shown = 0;
  for (const Diagnostic& d : all.list()) {
    if (options.limit > 0 && shown == static_cast<std::size_t>(options.limit)) break;
    out += to_text(d, options) + "\n";
    ++shown;
  }
  const std::size_t total = all.errors() + all.warnings();
  if (total == 0) return out;
  const auto count = [](std::size_t n, std::string_view what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  if (all.errors() > 0) out += count(all.errors(), "error");
  if (all.errors() > 0 && all.warnings() > 0) out += ", ";
  if (all.warnings() > 0) out += count(all.warnings(), "warning");
  if (shown < total) out += fmt::format(" (the first {} are shown)", shown);
  return out + "\n";
}

}  // namespace arges::diag
