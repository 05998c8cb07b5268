#include "arges/parse/corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>

#include "arges/diag/text_client.h"
#include "arges/parse/dump.h"
#include "arges/parse/format.h"
#include "arges/parse/parser.h"
#include "arges/parse/print.h"

namespace arges::lang {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> find_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      if (entry.is_regular_file() && entry.path().extension() == ".mo") {
        files.push_back(entry.path().string());
      }
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct Totals {
  std::size_t bytes = 0;
  std::size_t tokens = 0;
  std::size_t nodes = 0;  // bytes of syntax trees
  int rejected = 0;
  int changed = 0;
};

// White space apart, what lies before each token: the comments.
std::string comments(const TokenList& list) {
  std::string out;
  std::uint32_t done = 0;
  for (const Token& t : list.tokens) {
    for (const char c : list.file->text({done, t.begin})) {
      if (c != ' ' && c != '\t' && c != '\n' && c != '\r') out += c;
    }
    out += '\n';
    done = t.end;
  }
  return out;
}

bool same_tokens(const TokenList& a, const TokenList& b) {
  return std::equal(a.tokens.begin(), a.tokens.end(), b.tokens.begin(), b.tokens.end(),
                    [&](const Token& x, const Token& y) {
                      return x.kind == y.kind && a.file->text(x.range()) == b.file->text(y.range());
                    });
}

// Which of the round trips fails, or "".
std::string check(const SourceFile& file, const SyntaxTree& tree, Totals& totals) {
  diag::Diagnostics diagnostics;
  const TokenList tokens = lex(file, diagnostics);
  totals.tokens += tokens.tokens.size();
  if (join(tokens) != file.text()) return "tokens and white space do not give the text";
  const SourceFile printed(file.path() + " (printed)", print(tree));
  const SyntaxTree again = parse(printed, diagnostics, {.annotations = true});
  if (diagnostics.has_errors()) return "the printed tree does not parse\n" + to_text(diagnostics);
  if (dump(tree) != dump(again)) return "parse-print-parse is not the identity";
  const SourceFile formatted(file.path() + " (formatted)", format(tokens));
  const TokenList formatted_tokens = lex(formatted, diagnostics);
  if (!same_tokens(tokens, formatted_tokens)) return "formatting changes tokens";
  if (comments(tokens) != comments(formatted_tokens)) return "formatting changes comments";
  if (format(formatted_tokens) != formatted.text()) return "formatting twice differs from once";
  return {};
}

}  // namespace

int parse_corpus(const std::vector<std::string>& paths) {
  std::vector<std::unique_ptr<const SourceFile>> files;
  Totals totals;
  for (const std::string& path : find_files(paths)) {
    files.push_back(SourceFile::load(path));
    totals.bytes += files.back()->text().size();
  }
  for (const auto& file : files) {
    diag::Diagnostics diagnostics;
    const SyntaxTree tree = parse(*file, diagnostics, {.annotations = true});
    totals.nodes += tree.arena->used();
    if (diagnostics.has_errors()) {
      ++totals.rejected;
      std::fputs(to_text(diagnostics).c_str(), stdout);
      continue;
    }
    if (const std::string failure = check(*file, tree, totals); !failure.empty()) {
      ++totals.changed;
      std::fputs(fmt::format("{}: {}\n", file->path(), failure).c_str(), stdout);
    }
  }
  const auto time = [&](auto&& work) {
    const std::clock_t start = std::clock();
    for (const auto& file : files) {
      diag::Diagnostics diagnostics;
      work(*file, diagnostics);
    }
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  const double lexing = time([](const SourceFile& f, diag::Diagnostics& d) { lex(f, d); });
  const double lazy = time([](const SourceFile& f, diag::Diagnostics& d) { parse(f, d); });
  const double full =
      time([](const SourceFile& f, diag::Diagnostics& d) { parse(f, d, {.annotations = true}); });
  const double mb = static_cast<double>(totals.bytes) / 1e6;
  std::fputs(fmt::format("{} files, {:.2f} MB, {} tokens, {:.1f} MB of trees: {} with errors, {} "
                         "failed a round trip\n"
                         "lex {:.0f} MB/s, parse {:.0f} MB/s, with annotations {:.0f} MB/s\n",
                         files.size(), mb, totals.tokens, static_cast<double>(totals.nodes) / 1e6,
                         totals.rejected, totals.changed, mb / lexing, mb / lazy, mb / full)
                 .c_str(),
             stdout);
  return totals.rejected + totals.changed == 0 ? 0 : 1;
}

}  // namespace arges::lang
