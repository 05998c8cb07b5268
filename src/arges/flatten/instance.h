#pragma once
// The instance tree: classes with all modifications applied (docs/design/elaborate.md).

#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "arges/elaborate/class_tree.h"
#include "arges/flatten/value.h"

namespace arges::lang {

struct Instance;

// Where text is looked up: a class that takes part in an instance.
struct Scope {
  Instance* instance = nullptr;
  int part = 0;
};

// How to come from the value of an enclosing array or record to that of an element: elements and
// fields, from the outside in.
struct Path {
  const Path* outer = nullptr;
  std::string_view field;
  std::vector<int> index;
  bool spreads = false;  // a value without elements counts for each of them
};

// Modifications of one element that stand together in the text.
struct Layer {
  std::span<const Argument> arguments;
  // A dotted modification a.b.c = 1, of which the first `offset` parts are behind us.
  const Argument* dotted = nullptr;
  std::size_t offset = 0;
  const Expr* value = nullptr;
  bool is_final = false;
  bool each = false;
  bool in_type = false;  // from the definition of the type: spreads over arrays by itself
  bool removes = false;  // x = break: what is further in gives no value
  Scope scope;           // of the expressions
  const Path* path = nullptr;
};
// From the outside in: the first that says something counts.
using Environment = std::vector<Layer>;

// An expression that gives a value, and where it is looked up.
struct Binding {
  const Expr* expr = nullptr;
  Scope scope;
  const Path* path = nullptr;
  bool each = false;
  bool is_final = false;
  bool in_type = false;  // an attribute, from the definition of the type
};

struct TypeDims {
  ExprList subscripts;
  Scope scope;
};

// A class as seen from some place: the text, the scope around it, modifications.
struct ClassRef {
  ClassNode* node = nullptr;
  Scope enclosing;
  Environment environment;
  // Of constraining clauses: of a short class they count after its own modification.
  Environment constraining;
  std::vector<TypeDims> dims;
  Causality causality = Causality::kNone;
};

// One element of an instance.
struct Slot {
  enum class State : std::uint8_t { kNew, kBusy, kReady, kDisabled };
  std::string_view name;
  MemberKind kind = MemberKind::kComponent;
  const Element* element = nullptr;
  const Component* component = nullptr;
  ClassNode* node = nullptr;
  int part = 0;                   // whose text declares it
  int visible = 0;                // the class that declared it first
  std::vector<int> also_visible;  // other parts that bring the same element
  int literal = 0;
  bool is_protected = false;
  bool is_assigned = false;  // by the statements of a function
  bool has_place = false;    // in the order of its instance
  Slot* replaced = nullptr;  // the declaration that a redeclaration took the place of
  State state = State::kNew;
  Instance* instance = nullptr;        // of a component
  Instance* class_instance = nullptr;  // of a class
  std::optional<ClassRef> ref;         // of a class
};

// A class that an instance consists of: its own, and those that it inherits.
struct Part {
  ClassNode* node = nullptr;
  Scope enclosing;
  Environment environment;
  int derived = -1;                      // the part whose extends clause brought it
  std::span<const Argument> deselected;  // of that clause, when it has `break`
};

enum class World : std::uint8_t {
  kModel,     // variables
  kPackage,   // constants
  kFunction,  // locals of a function
  kValue,     // a record constructor or an inlined call: given values
};

enum class Basic : std::uint8_t { kNone, kScalar, kExternalObject, kClock };

struct Instance {
  World world = World::kModel;
  Instance* parent = nullptr;
  std::string_view name;
  Slot* slot = nullptr;
  ClassRef cls;
  bool expanded = false;
  std::vector<Part> parts;
  std::list<Slot> slots;
  std::vector<Slot*> order;
  std::unordered_map<std::string_view, Slot*> table;
  int depth = 0;

  // Components.
  TypePrefix prefix;
  bool is_protected = false;
  bool is_final = false;
  Dims dims;  // of an array
  // Of a local array whose sizes are known only when its function runs (dims are empty): where they
  // are said, and the locals that hold them.
  std::vector<std::pair<const Expr*, Scope>> run_time_dims;
  std::vector<ExprId> sizes;
  std::vector<Instance*> items;  // the elements of an array of a class that is no basic type
  std::vector<int> index;        // of such an element
  const Component* text = nullptr;
  Scope text_scope;

  // Basic types.
  Basic basic = Basic::kNone;
  ScalarType type = ScalarType::kReal;
  ClassNode* enumeration = nullptr;
  VarId variable;  // the first
  LocalId local;
  // Of a field of an element of an array of records: its place in the local, which holds this field
  // of all elements.
  std::vector<int> local_at;
  std::optional<Value> given;
  std::optional<Value> constant;
  bool evaluating = false;
  bool evaluated = false;  // used structurally

  bool is_array() const { return !items.empty() || (!dims.empty() && basic == Basic::kNone); }
};

}  // namespace arges::lang
