#include "arges/lsp/place.h"

namespace arges::lsp {

using namespace lang;

namespace {

// Walks down to the offset: of each list only the items around it.
class Finder {
 public:
  explicit Finder(std::uint32_t offset) : offset_(offset) {}

  void stored(const StoredDefinition& d) {
    name(d.within, PlaceKind::kImport);
    for (const StoredClass& c : d.classes) class_def(*c.class_def);
  }

  Place place;

 private:
  using Path = std::vector<std::string_view>;

  bool inside(TextRange r) const { return r.begin <= offset_ && offset_ <= r.end; }
  bool found() const { return place.kind != PlaceKind::kNothing; }

  bool identifier(const Identifier& i, PlaceKind kind, Path path) {
    if (i.text.empty() || !inside(i.range())) return false;
    place.kind = kind;
    place.range = i.range();
    place.path = std::move(path);
    return true;
  }

  void name(const Name& n, PlaceKind kind = PlaceKind::kName) {
    if (!inside(n.range)) return;
    Path path;
    for (const Identifier& part : n.parts) {
      path.push_back(part.text);
      if (!identifier(part, kind, path)) continue;
      place.global = n.global;
      return;
    }
  }

  static Path path_of(const Name& n) {
    Path path;
    for (const Identifier& part : n.parts) path.push_back(part.text);
    return path;
  }

  void class_def(const ClassDef& c) {
    if (!inside(c.range) || identifier(c.name, PlaceKind::kDeclaration, {c.name.text})) return;
    name(c.base);
    list(c.subscripts);
    modification(c.modification,
                 c.form == ClassForm::kExtends ? Path{c.name.text} : path_of(c.base), {});
    for (const EnumLiteral& l : c.literals)
      identifier(l.name, PlaceKind::kDeclaration, {l.name.text});
    for (const Section& s : c.sections) {
      if (!inside(s.range)) continue;
      for (const Element& e : s.elements) element(e);
      for (const Equation* e : s.equations) equation(*e);
      for (const Statement* t : s.statements) equation(*t);
    }
    if (c.external != nullptr) {
      expr(c.external->result);
      list(c.external->arguments);
    }
  }

  void element(const Element& e) {
    if (!inside(e.range)) return;
    if (e.import != nullptr) import(*e.import);
    if (e.extends != nullptr) {
      name(e.extends->type);
      modification(e.extends->modification, path_of(e.extends->type), {});
    }
    if (e.class_def != nullptr) class_def(*e.class_def);
    if (e.components != nullptr) components(*e.components);
    constraint(e.constraint);
    if (e.equation != nullptr) equation(*e.equation);
  }

  void import(const Import& i) {
    name(i.name, PlaceKind::kImport);
    for (const Identifier& last : i.list) {
      Path path = path_of(i.name);
      path.push_back(last.text);
      identifier(last, PlaceKind::kImport, std::move(path));
    }
    if (i.kind == ImportKind::kRenamed) identifier(i.alias, PlaceKind::kImport, path_of(i.name));
  }

  void constraint(const Constraint* c) {
    if (c == nullptr || !inside(c->range)) return;
    name(c->type);
    modification(c->modification, path_of(c->type), {});
  }

  void components(const ComponentClause& clause) {
    name(clause.type);
    list(clause.subscripts);
    for (const Component& c : clause.components) {
      if (!inside(c.range)) continue;
      if (identifier(c.name, PlaceKind::kDeclaration, {c.name.text})) return;
      list(c.subscripts);
      modification(c.modification, path_of(clause.type), {});
      expr(c.condition);
    }
  }

  // `path`: the names of the modifiers around, from the type on.
  void modification(const Modification* m, const Path& type, const Path& path) {
    if (m == nullptr || !inside(m->range)) return;
    for (const Argument& a : m->arguments) argument(a, type, path);
    expr(m->value);
  }

  void argument(const Argument& a, const Path& type, const Path& path) {
    if (!inside(a.range)) return;
    Path here = path;
    for (const Identifier& part : a.name.parts) {
      here.push_back(part.text);
      if (!identifier(part, PlaceKind::kModifier, here)) continue;
      place.type = type;
      return;
    }
    modification(a.modification, type, here);
    if (a.class_def != nullptr) class_def(*a.class_def);
    if (a.component != nullptr) components(*a.component);
    constraint(a.constraint);
    for (const Expr* e : a.connection) expr(e);
  }

  // Equations and statements have the same parts.
  template <class Item>
  void equation(const Item& item) {
    if (!inside(item.range)) return;
    expr(item.left);
    expr(item.right);
    const std::size_t outside = indices_.size();
    add_indices(item.indices);
    for (const auto& branch : item.branches) {
      expr(branch.condition);
      for (const Item* inner : branch.body) equation(*inner);
    }
    indices_.resize(outside);
  }

  void add_indices(std::span<const ForIndex> indices) {
    for (const ForIndex& i : indices) {
      expr(i.range);
      indices_.push_back(&i);
      if (identifier(i.name, PlaceKind::kName, {i.name.text})) place.index = &i;
    }
  }

  void list(ExprList l) {
    for (const Expr* e : l) expr(e);
  }

  void reference(const ReferenceExpr& e) {
    Path path;
    for (const ReferencePart& part : e.parts) {
      path.push_back(part.name.text);
      if (identifier(part.name, PlaceKind::kName, path)) {
        place.global = e.global;
        for (const ForIndex* i : indices_) {
          if (!e.global && i->name.text == path[0]) place.index = i;
        }
        return;
      }
      list(part.subscripts);
    }
  }

  void named(std::span<const NamedArgument> arguments, const Path& function) {
    for (const NamedArgument& a : arguments) {
      if (identifier(a.name, PlaceKind::kNamedArgument, {a.name.text})) place.type = function;
      expr(a.value);
    }
  }

  void call(const CallExpr& e) {
    reference(*e.callee);
    const std::size_t outside = indices_.size();
    add_indices(e.iterators);
    list(e.positional);
    Path function;
    for (const ReferencePart& part : e.callee->parts) function.push_back(part.name.text);
    named(e.named, function);
    indices_.resize(outside);
  }

  void expr(const Expr* e) {
    if (e == nullptr || !inside(e->range) || found()) return;
    switch (e->kind) {
      case ExprKind::kReference:
        return reference(as<ReferenceExpr>(*e));
      case ExprKind::kCall:
        return call(as<CallExpr>(*e));
      case ExprKind::kUnary:
        return expr(as<UnaryExpr>(*e).operand);
      case ExprKind::kChain:
        return list(as<ChainExpr>(*e).operands);
      case ExprKind::kIf:
        for (const IfExprBranch& b : as<IfExpr>(*e).branches) {
          expr(b.condition);
          expr(b.value);
        }
        return expr(as<IfExpr>(*e).otherwise);
      case ExprKind::kRange:
        expr(as<RangeExpr>(*e).start);
        expr(as<RangeExpr>(*e).step);
        return expr(as<RangeExpr>(*e).stop);
      case ExprKind::kArray: {
        const std::size_t outside = indices_.size();
        add_indices(as<ArrayExpr>(*e).iterators);
        list(as<ArrayExpr>(*e).elements);
        indices_.resize(outside);
        return;
      }
      case ExprKind::kMatrix:
        for (const ExprList row : as<MatrixExpr>(*e).rows) list(row);
        return;
      case ExprKind::kTuple:
        return list(as<TupleExpr>(*e).elements);
      case ExprKind::kSuffix:
        expr(as<SuffixExpr>(*e).base);
        return list(as<SuffixExpr>(*e).subscripts);
      case ExprKind::kPartial:
        name(as<PartialExpr>(*e).function);
        return named(as<PartialExpr>(*e).named, path_of(as<PartialExpr>(*e).function));
      case ExprKind::kMissing:
      case ExprKind::kInteger:
      case ExprKind::kReal:
      case ExprKind::kString:
      case ExprKind::kTrue:
      case ExprKind::kFalse:
      case ExprKind::kColon:
      case ExprKind::kEnd:
        return;
    }
  }

  std::uint32_t offset_;
  std::vector<const ForIndex*> indices_;
};

}  // namespace

Place find_place(const SyntaxTree& tree, std::uint32_t offset) {
  Finder finder(offset);
  finder.stored(*tree.root);
  return std::move(finder.place);
}

}  // namespace arges::lsp
