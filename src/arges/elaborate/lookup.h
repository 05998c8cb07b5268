#pragma once
// Names to declarations, by the rules of chapter 5.3 of the specification.
//
//   find(A.B.C, scope):
//     A: for scope, then each enclosing class
//          declared elements, inherited elements, imports by name, unqualified imports;
//          an encapsulated class ends the walk
//        the root (only when no encapsulated class was left), which loads libraries
//        the predefined classes and functions
//     B, C: elements, declared or inherited and not protected, of what was found before
//   .A.B.C is sought from the root.

#include <string_view>
#include <utility>
#include <vector>

#include "arges/elaborate/class_tree.h"

namespace arges::lang {

enum class FoundKind : std::uint8_t { kNothing, kClass, kComponent, kLiteral, kFunction, kTime };

// A declaration. When a part of a name is a component, the parts behind it are left to those who
// know its type: `used` parts are resolved.
struct Found {
  FoundKind kind = FoundKind::kNothing;
  ClassNode* node = nullptr;       // kClass: the class
  const Member* member = nullptr;  // null for predefined names and the root's view of libraries
  ClassNode* owner = nullptr;      // the class that declares it
  std::size_t used = 0;

  explicit operator bool() const { return kind != FoundKind::kNothing; }
};

// How many classes may be between a class and the last that it inherits from (E0214): finding them
// uses the stack.
constexpr int kMaxInheritance = 500;

class Lookup {
 public:
  explicit Lookup(ClassTree& tree) : tree_(tree) {}

  // Reports a name that is not found, with what was probably meant.
  Found find(const Name& name, ClassNode& scope);
  // The same for text such as "A.B" from a command line, without a place to point at.
  Found find(std::string_view name, ClassNode& scope);

  // The first part of a name. Only the ambiguity of unqualified imports is reported.
  Found find_simple(std::string_view name, ClassNode& scope);
  // An element of a class, declared or inherited. Nothing is reported.
  Found find_element(std::string_view name, ClassNode& node);

  // The classes that a class inherits from directly: its extends clauses, or the right side of a
  // short class (then the clause is null). Reports what cannot be found, and cycles.
  const std::vector<std::pair<ClassNode*, const Extends*>>& bases(ClassNode& node);
  // Does `node` inherit from `base`, or is it `base`?
  bool inherits(ClassNode& node, const ClassNode& base);

 private:
  struct Part {
    std::string_view text;
    diag::Span span;
  };
  Found find_parts(const std::vector<Part>& parts, bool global, ClassNode& scope, bool inherited);
  Found find_simple(std::string_view name, ClassNode& scope, bool inherited);
  Found find_import(std::string_view name, ClassNode& node);
  Found find_import_target(const Import& import, std::string_view last, ClassNode& node);
  Found from_member(const Member& member, ClassNode& owner) const;
  void not_found(const Part& part, ClassNode& scope);
  void not_found_in(const Part& part, ClassNode& node);
  void add_base(ClassNode& node, const Name& name, ClassNode& scope, bool inherited,
                const Extends* clause);
  void add_class_extends_base(ClassNode& node);
  void check_cycle(ClassNode& node);
  // What a class declares and inherits, and what can be seen from it besides, for advice.
  std::vector<std::string> element_names(ClassNode& node);
  std::vector<std::string> names_around(ClassNode& scope);

  ClassTree& tree_;
  int depth_ = 0;  // classes whose bases are being found
};

}  // namespace arges::lang
