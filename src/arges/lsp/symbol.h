#pragma once
// Names of the text to their declarations, and what is known about those.

#include <optional>
#include <string>
#include <vector>

#include "arges/elaborate/lookup.h"
#include "arges/lsp/place.h"

namespace arges::lsp {

enum class SymbolKind : std::uint8_t {
  kClass,
  kComponent,
  kLiteral,    // of an enumeration
  kIndex,      // of a loop
  kFunction,   // predefined: sin, der, ...
  kAttribute,  // of a predefined type: unit, start, ...
  kTime,
};

struct Symbol {
  SymbolKind kind = SymbolKind::kClass;
  std::string name;
  lang::ClassNode* node = nullptr;   // kClass
  lang::ClassNode* owner = nullptr;  // the class that declares it
  const lang::Member* member = nullptr;
  const lang::ForIndex* index = nullptr;
};

// Types are those of the declarations: what a redeclaration puts in their place is not followed.
// Nothing is reported, but for base classes that cannot be found.
class Symbols {
 public:
  explicit Symbols(lang::ClassTree& tree) : tree_(tree), lookup_(tree) {}

  // What stands at a place in the class `scope`.
  std::optional<Symbol> at(const Place& place, lang::ClassNode& scope);
  std::optional<Symbol> find(const std::vector<std::string_view>& path, bool global,
                             lang::ClassNode& scope);
  // a.b of a class.
  std::optional<Symbol> find_inside(const std::vector<std::string_view>& path,
                                    lang::ClassNode& node);

  // What a class declares and inherits, in this order; then the attributes of a predefined type.
  std::vector<Symbol> elements(lang::ClassNode& node);
  // What can be named in a class without dots.
  std::vector<Symbol> visible(lang::ClassNode& scope);

  // The class itself, or that of a component; null where it cannot be found.
  lang::ClassNode* type_of(const Symbol& symbol);
  // The declaration; a null file for what is predefined.
  diag::Span declaration(const Symbol& symbol);
  // Markdown: the declaration, the description, unit and place.
  std::string describe(const Symbol& symbol);
  // In one line: "parameter Resistance R", "model Resistor".
  std::string summary(const Symbol& symbol);

 private:
  std::optional<Symbol> step(const Symbol& from, std::string_view name);
  std::optional<Symbol> symbol_of(const lang::Found& found, std::string_view name) const;
  // The predefined type at the end of type definitions; null for a class with elements.
  lang::ClassNode* predefined_type(lang::ClassNode& node);
  // The text of an attribute that a declaration or the types behind it set, as written.
  std::string attribute(const Symbol& symbol, std::string_view name);
  void add_imports(lang::ClassNode& node, std::vector<Symbol>& out);

  lang::ClassTree& tree_;
  lang::Lookup lookup_;
};

// Of predefined types.
const std::vector<std::string_view>& attribute_names();

}  // namespace arges::lsp
