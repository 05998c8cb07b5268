#include "arges/lsp/protocol.h"

#include <fmt/format.h>

#include "arges/lsp/uri.h"

namespace arges::lsp {

using namespace lang;

namespace {

Json position(const diag::SourceFile& file, std::uint32_t offset) {
  const diag::Utf16Position at = diag::utf16_position(file, offset);
  return {{"line", at.line}, {"character", at.character}};
}

// Numbers of the protocol.
enum class ItemKind {
  kFunction = 3,
  kField = 5,
  kVariable = 6,
  kClass = 7,
  kModule = 9,
  kProperty = 10,
  kKeyword = 14,
  kEnumMember = 20,
  kConstant = 21,
};

int item_kind(const Completion& completion, ClassTree& tree) {
  if (completion.kind == CompletionKind::kKeyword) return static_cast<int>(ItemKind::kKeyword);
  if (completion.kind == CompletionKind::kArgument) return static_cast<int>(ItemKind::kProperty);
  const Symbol& s = completion.symbol;
  switch (s.kind) {
    case SymbolKind::kClass: {
      // Not read: a class in a file of its own is mostly a package or a model.
      const ClassDef* def =
          s.member == nullptr || s.member->element == nullptr ? nullptr : tree.definition(*s.node);
      if (def == nullptr) return static_cast<int>(ItemKind::kClass);
      if (def->kind == ClassKind::kFunction || def->kind == ClassKind::kOperatorFunction)
        return static_cast<int>(ItemKind::kFunction);
      return static_cast<int>(def->kind == ClassKind::kPackage ? ItemKind::kModule
                                                               : ItemKind::kClass);
    }
    case SymbolKind::kComponent:
      return static_cast<int>(ItemKind::kField);
    case SymbolKind::kLiteral:
      return static_cast<int>(ItemKind::kEnumMember);
    case SymbolKind::kFunction:
      return static_cast<int>(ItemKind::kFunction);
    case SymbolKind::kAttribute:
      return static_cast<int>(ItemKind::kProperty);
    case SymbolKind::kIndex:
      return static_cast<int>(ItemKind::kVariable);
    case SymbolKind::kTime:
      return static_cast<int>(ItemKind::kConstant);
  }
  return static_cast<int>(ItemKind::kVariable);
}

enum class OutlineKind {
  kPackage = 4,
  kClass = 5,
  kField = 8,
  kEnum = 10,
  kInterface = 11,
  kFunction = 12,
  kConstant = 14,
  kEnumMember = 22,
  kStruct = 23,
};

OutlineKind outline_kind(const OutlineItem& item) {
  if (item.class_def == nullptr) {
    if (item.components == nullptr) return OutlineKind::kEnumMember;
    const Variability v = item.components->prefix.variability;
    return v == Variability::kConstant || v == Variability::kParameter ? OutlineKind::kConstant
                                                                       : OutlineKind::kField;
  }
  if (item.class_def->form == ClassForm::kEnumeration) return OutlineKind::kEnum;
  switch (item.class_def->kind) {
    case ClassKind::kPackage:
      return OutlineKind::kPackage;
    case ClassKind::kFunction:
    case ClassKind::kOperatorFunction:
    case ClassKind::kOperator:
      return OutlineKind::kFunction;
    case ClassKind::kConnector:
    case ClassKind::kExpandableConnector:
      return OutlineKind::kInterface;
    case ClassKind::kRecord:
    case ClassKind::kOperatorRecord:
      return OutlineKind::kStruct;
    case ClassKind::kClass:
    case ClassKind::kModel:
    case ClassKind::kBlock:
    case ClassKind::kType:
      return OutlineKind::kClass;
  }
  return OutlineKind::kClass;
}

}  // namespace

std::string dump(const Json& message) {
  return message.dump(-1, ' ', false, Json::error_handler_t::replace);
}

diag::Utf16Position position_from(const Json& position) {
  return {position.at("line").get<std::uint32_t>(), position.at("character").get<std::uint32_t>()};
}

std::vector<TextChange> changes_from(const Json& changes) {
  std::vector<TextChange> all;
  for (const Json& each : changes) {
    TextChange change;
    change.text = each.at("text").get<std::string>();
    change.whole = !each.contains("range");
    if (!change.whole) {
      change.begin = position_from(each.at("range").at("start"));
      change.end = position_from(each.at("range").at("end"));
    }
    all.push_back(std::move(change));
  }
  return all;
}

Json range(const diag::Span& span) {
  return {{"start", position(*span.file, span.range.begin)},
          {"end", position(*span.file, span.range.end)}};
}

Json location(const diag::Span& span) {
  return {{"uri", uri_of(span.file->path())}, {"range", range(span)}};
}

Json diagnostic(const diag::Diagnostic& d) {
  std::string message = d.message;
  for (const std::string& note : d.notes) message += "\nnote: " + note;
  for (const std::string& help : d.help) message += "\nhelp: " + help;
  Json j = {{"range", range(d.primary.span)},
            {"severity", d.severity() == diag::Severity::kError ? 1 : 2},
            {"code", diag::info(d.code).id},
            {"source", "arges"},
            {"message", std::move(message)}};
  Json related = Json::array();
  for (const diag::Label& label : d.secondary) {
    if (label.span.file == nullptr) continue;
    related.push_back({{"location", location(label.span)}, {"message", label.text}});
  }
  if (!related.empty()) j["relatedInformation"] = std::move(related);
  return j;
}

Json diagnostic_without_place(const std::string& message) {
  const Json start = {{"line", 0}, {"character", 0}};
  return {{"range", {{"start", start}, {"end", start}}},
          {"severity", 1},
          {"source", "arges"},
          {"message", message}};
}

Json code_action(const diag::Diagnostic& d, const std::string& path) {
  Json edits = Json::array();
  for (const diag::Label& fix : d.fixes)
    edits.push_back({{"range", range(fix.span)}, {"newText", fix.text}});
  const std::string& text = d.fixes.front().text;
  return {{"title", text.empty() ? "remove it" : fmt::format("write '{}'", text)},
          {"kind", "quickfix"},
          {"diagnostics", Json::array({diagnostic(d)})},
          {"edit", {{"changes", {{uri_of(path), std::move(edits)}}}}}};
}

Json completion_item(const Completion& completion, ClassTree& tree) {
  Json item = {{"label", completion.label}, {"kind", item_kind(completion, tree)}};
  if (completion.insert != completion.label) item["insertText"] = completion.insert;
  if (!completion.detail.empty()) item["detail"] = completion.detail;
  return item;
}

Json symbols_json(const std::vector<OutlineItem>& items, const diag::SourceFile& file) {
  Json list = Json::array();
  for (const OutlineItem& item : items) {
    Json j = {{"name", item.name},
              {"kind", static_cast<int>(outline_kind(item))},
              {"range", range({&file, item.range})},
              {"selectionRange", range({&file, item.name_range})}};
    if (!item.detail.empty()) j["detail"] = item.detail;
    if (!item.children.empty()) j["children"] = symbols_json(item.children, file);
    list.push_back(std::move(j));
  }
  return list;
}

}  // namespace arges::lsp
