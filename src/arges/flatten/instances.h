#pragma once
// Makes the instance tree, on demand, and looks up names in it.
//
//   resolve(name, scope):
//     the elements of the instance that the class of the scope declares or inherits, as they are
//     after modification and redeclaration; then imports of the class; then the scope around it;
//     then predefined names, then libraries
//
// Children are made when they are asked for, so a structural parameter can be evaluated while the
// tree is still growing.

#include <deque>
#include <functional>
#include <memory>
#include <unordered_set>
#include <utility>

#include "arges/flatten/failure.h"
#include "arges/flatten/instance.h"

namespace arges::lang {

// Components in components: a class that contains itself, as long as its values let it, ends here
// (E0319).
constexpr int kMaxDepth = 200;
// What one text may use before it is refused (E0318), so that none exhausts memory or patience.
struct Limits {
  std::size_t elements = 20'000'000;        // of one array
  std::size_t variables = 10'000'000;       // scalars of the model
  std::size_t instances = 2'000'000;        // components and classes
  std::uint64_t evaluations = 500'000'000;  // of expressions
  std::uint64_t turns = 5'000'000;          // of loops of equations, connections and statements
};

// What instantiation asks of the evaluation of expressions.
class StructuralEvaluator {
 public:
  virtual ~StructuralEvaluator() = default;
  virtual int dimension(const Expr& e, Scope scope) = 0;
  virtual bool condition(const Expr& e, Scope scope) = 0;
  virtual Dims shape(const Binding& binding) = 0;
};

// What a name stands for.
struct Resolved {
  enum class Kind : std::uint8_t { kNothing, kSlot, kClass, kBuiltin, kTime };
  Kind kind = Kind::kNothing;
  Instance* owner = nullptr;  // kSlot
  Slot* slot = nullptr;       // kSlot
  ClassNode* node = nullptr;  // kClass: predefined or at the top level
  bool enclosing = false;     // kSlot: a component of a class around that of the scope
};

class Instances {
 public:
  explicit Instances(ClassTree& tree, const Limits& limits = {}) : tree_(tree), limits_(limits) {}
  void set_evaluator(StructuralEvaluator& e) { evaluator_ = &e; }

  ClassTree& tree() { return tree_; }
  const Limits& limits() const { return limits_; }
  // The class itself, without modifications; for packages and as a scope.
  Instance& of_class(ClassNode& node);
  Instance& make(ClassRef ref, World world, Instance* parent, std::string_view name);
  // Finds parts and elements, unless done.
  void expand(Instance& instance);

  // An element, or null.
  Slot* find(Instance& instance, std::string_view name);
  Resolved resolve(std::string_view name, Scope scope);
  ClassRef find_class(const Name& name, Scope scope);
  ClassRef class_of(const Resolved& r);
  // A class as a scope: of a package, an enumeration, a function.
  Instance& class_instance(const Resolved& r);
  // The component; null when its condition is false.
  Instance* component(Instance& owner, Slot& slot);
  // What a name in the class of `owner` means: of an `inner outer` component the one further out.
  Instance* referenced(Instance& owner, Slot& slot);
  // The value that modifications and declaration give; expr is null when there is none.
  Binding binding(const Instance& instance) const;
  // An attribute of a basic type.
  Binding attribute(const Instance& instance, std::string_view name) const;

  const ClassDef* definition(Scope scope) { return tree_.definition(node(scope)); }
  ClassNode& node(Scope scope) const {
    return *scope.instance->parts[static_cast<std::size_t>(scope.part)].node;
  }
  diag::Span span(Scope scope, TextRange range);
  // The kind of the class, with short classes followed to the end.
  ClassKind kind(Instance& instance);
  // Inner components that were added because nobody declared them, since the last call.
  std::vector<Instance*> take_added_inners() { return std::exchange(added_inners_, {}); }
  // Fails: `owner` has no element of this name. Helps with those that it has.
  [[noreturn]] static void no_element(const Instance& owner, std::string_view name,
                                      std::string text, diag::Span where,
                                      diag::Code code = diag::Code::kUnknownElement);
  static std::vector<std::string> element_names(const Instance& instance);
  const Path* path_index(const Path* outer, std::vector<int> index);
  const Path* path_field(const Path* outer, std::string_view field);
  // a.b[2].c
  static std::string full_name(const Instance& instance);
  // A variable of a function with a size `[:]` that no value has given yet: the first assignment to
  // the whole of it does.
  static bool is_open(const Instance& i);
  // Whether these differ from the declared sizes in dimensions `[:]` only.
  static bool fits_open_sizes(const Instance& i, const Dims& dims);
  // Makes an array of components one of these sizes, before anything refers to its elements.
  void set_dims(Instance& array, const Dims& dims);
  // Whether local arrays of the function that is being made may have sizes that are known only when
  // it runs.
  bool sizes_at_run_time = false;
  // Does an annotation hold NAME = true?
  bool annotated(const Annotation* annotation, Scope scope, std::string_view name);
  const Modification* annotation(const Annotation& annotation, ClassNode& node);
  bool package_like(Instance& instance);
  bool same_enumeration(ClassNode& a, ClassNode& b);
  bool is_partial(Instance& instance);
  void check_step(Instance& owner, const Slot& slot, diag::Span where);
  // Whether an extends clause leaves a connection of its base out: `break connect(a, b)`.
  bool is_deselected(const Equation& connection, Scope scope) const;
  // Has the connector as many flow as potential variables?
  void check_connector(Instance& connector);

 private:
  struct Declaration {
    const ComponentClause* clause;
    const Component* component;
    Scope scope;
  };
  // Redeclarations of an element, from the outside in: the first counts.
  using Redeclarations = std::vector<std::pair<const Argument*, Scope>>;
  void add_part(Instance& instance, const ClassRef& ref, int derived, bool is_protected,
                std::span<const Argument> deselected = {});
  bool is_deselected(const Instance& instance, const Slot& slot);
  void check_deselections(Instance& instance, std::size_t base, Scope scope);
  void add_elements(Instance& instance, int part, const ClassDef& def, bool is_protected);
  void add_slot(Instance& instance, Slot slot);
  void add_base(Instance& instance, int part, ClassRef base, const Modification* modification,
                Scope scope, bool in_type, bool is_protected, const Path* path = nullptr);
  const Path* element_of_type(const Instance& item);
  void check_modifiers(Instance& instance);
  void add_modified_finals(const Instance& instance, Failure& wrong);
  void add_constraints(Instance& owner, const Slot& slot, bool is_replaced,
                       Environment& environment);
  void check_base(const ClassDef& derived, ClassNode& base, diag::Span where);
  void check_class(const ClassDef& def, ClassNode& node);
  void check_duplicate(Instance& instance, const Slot& there, const Slot& slot, bool inherits);
  void check_extends(const Name& name, Scope scope);
  void check_one_body(const Instance& function);
  static void check_lonely(const ClassDef& def, const Extends& clause, diag::Span where);
  void check_redeclare(Instance& owner, const Slot& slot, const Argument& redeclaration,
                       Scope scope);
  void check_constraint(Instance& owner, const Slot& slot, const ClassRef& ref,
                        const Redeclarations& redeclarations, diag::Span where);
  std::string misfit(Instance& made, Instance& wanted, int depth, std::size_t own_dims = 0);
  bool value_fits(const Expr& value, Scope scope, Instance& type);
  bool reference_fits(const ReferenceExpr& reference, Scope scope, Instance& type);
  void check_inner(Instance& owner, Slot& slot, Instance& inner);
  void check_import(const Resolved& found, diag::Span where);
  void check_containment(const Instance& owner, const Slot& slot, const ClassRef& ref);
  bool is_too_deep(const Instance& owner, const Slot& slot);
  void check_imports(const std::vector<const Import*>& imports, ClassNode& text);
  void check_modifications(const ClassDef& def, ClassNode& node);
  void check_component(Instance& owner, const Slot& slot, const TypePrefix& prefix, Instance& made,
                       diag::Span where);
  void collect(const Instance& owner, const Environment& from, std::string_view name,
               Environment& to, Redeclarations* redeclarations) const;
  Instance* make_component(Instance& owner, Slot& slot);
  Instance* find_inner(Instance& owner, Slot& slot);
  Instance* add_inner(Instance& owner, Slot& slot);
  using Sizes = std::vector<std::pair<const Expr*, Scope>>;
  Sizes declared_sizes(const Declaration& d, const Slot& slot, const ClassRef& ref,
                       const Instance& prototype);
  Dims dimensions(const Declaration& d, const Slot& slot, const Sizes& all,
                  const Instance& prototype);
  void make_items(Instance& array, const ClassRef& ref, const Environment& environment);
  bool visible(const Instance& instance, const Slot& slot, int part) const;
  Resolved find_import(std::string_view name, ClassNode& node);
  Resolved from_root(std::span<const Identifier> parts, ClassNode& node, TextRange range);
  ClassRef class_ref(Instance& owner, Slot& slot);
  ClassRef inner_class(Instance& owner, Slot& slot);
  void not_found(std::string_view name, Scope scope, TextRange range);

  ClassTree& tree_;
  Limits limits_;
  StructuralEvaluator* evaluator_ = nullptr;
  std::deque<Instance> instances_;
  std::deque<Path> paths_;
  std::unordered_map<ClassNode*, Instance*> classes_;
  std::unordered_map<ClassNode*, std::vector<const Import*>> imports_;
  std::unordered_set<ClassNode*> checked_;  // classes whose own rules hold
  std::unordered_map<const Annotation*, const Modification*> annotations_;
  std::unordered_map<const Instance*, bool> package_like_;
  std::deque<Element> elements_;  // declarations that are not in the text
  std::vector<Instance*> added_inners_;
  // What `break x` has left out, with the part that declares it.
  std::unordered_map<const Argument*, std::pair<const Element*, int>> deselected_;
  std::unordered_set<const ClassNode*> endless_;  // contain themselves, and were reported
};

}  // namespace arges::lang
