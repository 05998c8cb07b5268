#include "arges/plot/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <span>

namespace arges::plot {
namespace {

// Advance widths of DejaVu Sans in thousandths of the font size.
constexpr std::array<std::uint16_t, 95> kAscii = {
    // from U+0020
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838,
};
constexpr std::array<std::uint16_t, 96> kLatin1 = {
    // from U+00A0
    318, 401, 636, 636, 636, 636, 337, 500, 500, 1000, 471, 612, 838, 361, 1000, 500,
    500, 838, 401, 401, 500, 636, 636, 318, 500, 401,  471, 612, 969, 969, 969,  531,
    684, 684, 684, 684, 684, 684, 974, 698, 632, 632,  632, 632, 295, 295, 295,  295,
    775, 748, 787, 787, 787, 787, 787, 838, 787, 732,  732, 732, 732, 611, 605,  630,
    613, 613, 613, 613, 613, 613, 982, 550, 615, 615,  615, 615, 278, 278, 278,  278,
    612, 634, 612, 612, 612, 612, 612, 838, 612, 634,  634, 634, 634, 592, 635,  592,
};
constexpr std::array<std::uint16_t, 57> kGreek = {
    // from U+0391
    684, 686, 557, 684, 632, 685, 752, 787, 295, 656, 684, 863, 748, 632, 787, 752, 603, 600, 632,
    611, 611, 787, 685, 787, 764, 295, 611, 659, 541, 634, 338, 579, 659, 638, 592, 612, 541, 544,
    634, 612, 338, 589, 592, 636, 559, 558, 612, 602, 635, 587, 634, 602, 579, 660, 578, 660, 837,
};
constexpr std::array<std::uint16_t, 31> kScripts = {
    // from U+2070
    401, 179, 600, 600, 401, 401, 401, 401, 401, 401, 528, 528, 528, 246, 246, 398,
    401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 528, 528, 528, 246, 246,
};
constexpr std::array<std::uint16_t, 102> kMath = {
    // from U+2200
    684,  636, 517, 632, 632, 871, 669, 669, 871, 871, 718, 871,  871, 718, 636,  757, 757,
    674,  838, 838, 838, 337, 637, 838, 626, 626, 637, 637, 637,  714, 833, 838,  896, 896,
    838,  500, 500, 500, 500, 732, 732, 732, 732, 521, 789, 1057, 521, 789, 1057, 521, 521,
    521,  636, 636, 260, 636, 838, 838, 838, 838, 838, 838, 838,  838, 375, 838,  838, 838,
    838,  838, 838, 838, 838, 838, 838, 838, 838, 838, 838, 838,  838, 838, 839,  839, 1000,
    1000, 838, 838, 838, 838, 838, 838, 838, 838, 838, 838, 838,  838, 838, 838,  838, 838,
};
constexpr std::array<std::array<std::uint16_t, 2>, 22> kOthers = {{
    {0x2010, 361}, {0x2013, 500},  {0x2014, 1000}, {0x2019, 318}, {0x201c, 518}, {0x201d, 518},
    {0x2022, 590}, {0x2026, 1000}, {0x2032, 227},  {0x2033, 374}, {0x210f, 634}, {0x2126, 764},
    {0x2190, 838}, {0x2191, 838},  {0x2192, 838},  {0x2193, 838}, {0x1e8b, 592}, {0x1e8f, 592},
    {0x0117, 615}, {0x03d1, 619},  {0x03d5, 660},  {0x03f5, 615},
}};

struct Block {
  std::uint32_t first;
  std::span<const std::uint16_t> widths;
};
constexpr std::array<Block, 5> kBlocks = {
    {{0x20, kAscii}, {0xa0, kLatin1}, {0x391, kGreek}, {0x2070, kScripts}, {0x2200, kMath}}};

int width_of(std::uint32_t c) {
  for (const Block& block : kBlocks)
    if (c >= block.first && c - block.first < block.widths.size())
      return block.widths[c - block.first];
  for (const auto& [code, width] : kOthers)
    if (c == code) return width;
  if (c >= 0x300 && c <= 0x36f) return 0;       // combining marks
  if (c >= 0x2e80 && c != 0xfffd) return 1000;  // East Asian scripts, pictures
  return 700;
}

struct Decoded {
  std::uint32_t code;
  std::size_t length;
};

// The character at the front of `text`, which is not empty; U+FFFD of length 1 if malformed.
Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf0 && lead < 0xf5   ? 4
                             : lead >= 0xe0 && lead < 0xf0 ? 3
                             : lead >= 0xc2 && lead < 0xe0 ? 2
                                                           : 0;
  if (length == 0 || text.size() < length) return {0xfffd, 1};
  std::uint32_t code = lead & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {0xfffd, 1};
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool no_character =
      (code >= 0xd800 && code < 0xe000) || code > 0x10ffff || code == 0xfffe || code == 0xffff;
  return overlong || no_character ? Decoded{0xfffd, 1} : Decoded{code, length};
}

std::string sanitized(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto [code, length] = decode(text.substr(i));
    if (code < 0x20 || (code >= 0x7f && code < 0xa0))
      out += ' ';
    else if (code == 0xfffd)
      out += "\uFFFD";
    else
      out += text.substr(i, length);
    i += length;
  }
  return out;
}

double run_width(const TextRun& run, double size, bool bold) {
  double thousandths = 0;
  for (std::string_view rest = run.text; !rest.empty();) {
    const auto [code, length] = decode(rest);
    thousandths += width_of(code);
    rest.remove_prefix(length);
  }
  return thousandths / 1000 * run.scale * size * (bold ? 1.12 : 1);
}

}  // namespace

RichText parse_text(std::string_view markup) {
  const std::string text = sanitized(markup);
  RichText runs;
  std::string plain;
  for (std::size_t i = 0; i < text.size();) {
    const bool script =
        (text[i] == '_' || text[i] == '^') && i + 1 < text.size() && text[i + 1] == '{';
    const std::size_t end = script ? text.find('}', i) : std::string::npos;
    if (end == std::string::npos) {
      plain += text[i++];
      continue;
    }
    if (!plain.empty()) runs.push_back({plain, 1, 0});
    plain.clear();
    runs.push_back({text.substr(i + 2, end - i - 2), 0.7, text[i] == '^' ? 0.38 : -0.2});
    i = end + 1;
  }
  if (!plain.empty()) runs.push_back({plain, 1, 0});
  return runs;
}

double text_width(const RichText& text, double size, bool bold) {
  double width = 0;
  for (const TextRun& run : text) width += run_width(run, size, bold);
  return width;
}

RichText fit_text(const RichText& text, double size, double width, bool bold) {
  if (text_width(text, size, bold) <= width) return text;
  RichText letters;  // one run for each character, so that a cut can fall anywhere
  for (const TextRun& run : text)
    for (std::string_view rest = run.text; !rest.empty();) {
      const std::size_t length = decode(rest).length;
      letters.push_back({std::string(rest.substr(0, length)), run.scale, run.rise});
      rest.remove_prefix(length);
    }
  const TextRun dots{"…", 1, 0};
  const double room = width - run_width(dots, size, bold);
  std::size_t head = 0, tail = letters.size();
  for (double used = 0; head < tail;) {
    const bool front = head <= letters.size() - tail;
    const TextRun& next = front ? letters[head] : letters[tail - 1];
    used += run_width(next, size, bold);
    if (used > room) break;
    front ? ++head : --tail;
  }
  RichText out(letters.begin(), letters.begin() + static_cast<std::ptrdiff_t>(head));
  out.push_back(dots);
  out.insert(out.end(), letters.begin() + static_cast<std::ptrdiff_t>(tail), letters.end());
  RichText merged;
  for (TextRun& run : out) {
    if (!merged.empty() && merged.back().scale == run.scale && merged.back().rise == run.rise)
      merged.back().text += run.text;
    else
      merged.push_back(std::move(run));
  }
  return merged;
}

std::string pretty_unit(std::string_view unit) {
  std::string out;
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t i = 0; i < unit.size();) {
    if (is_letter(unit[i])) {
      std::size_t end = i;
      while (end < unit.size() && is_letter(unit[end])) ++end;
      const std::string_view name = unit.substr(i, end - i);
      out += name == "degC" ? "°C" : name == "deg" ? "°" : name == "Ohm" ? "Ω" : name;
      i = end;
      const bool sign = i + 1 < unit.size() && unit[i] == '-' && is_digit(unit[i + 1]);
      std::size_t stop = i + (sign ? 1 : 0);
      while (stop < unit.size() && is_digit(unit[stop])) ++stop;
      if (stop > i) {
        out += "^{";
        if (sign) out += "−";
        out += unit.substr(i + (sign ? 1 : 0), stop - i - (sign ? 1 : 0));
        out += '}';
        i = stop;
      }
    } else {
      const bool product = unit[i] == '.' && i > 0 && i + 1 < unit.size() &&
                           !(is_digit(unit[i - 1]) && is_digit(unit[i + 1]));
      if (product)
        out += "·";
      else
        out += unit[i];
      ++i;
    }
  }
  return out;
}

}  // namespace arges::plot
