#include "arges/parse/dump.h"

#include <string_view>

namespace arges::lang {
namespace {

class Dumper {
 public:
  Dumper(std::string& out, const SourceFile* file) : out_(out), file_(file) {}

  void node(const StoredDefinition& d) {
    open("file");
    flag(d.is_base_modelica, "base");
    if (d.has_within) node("within", d.within);
    for (const StoredClass& c : d.classes) {
      flag(c.final, "final");
      node(*c.class_def);
    }
    close();
  }

  void node(const Expr* e) {
    if (e == nullptr) {
      atom("()");
      return;
    }
    switch (e->kind) {
      case ExprKind::kMissing:
        return atom("missing");
      case ExprKind::kInteger:
      case ExprKind::kReal:
      case ExprKind::kString:
        return atom(as<LiteralExpr>(*e).text);
      case ExprKind::kTrue:
        return atom("true");
      case ExprKind::kFalse:
        return atom("false");
      case ExprKind::kColon:
        return atom(":");
      case ExprKind::kEnd:
        return atom("end");
      case ExprKind::kReference:
        return reference(as<ReferenceExpr>(*e));
      case ExprKind::kCall:
        return call(as<CallExpr>(*e));
      case ExprKind::kUnary:
        open(spelling(as<UnaryExpr>(*e).op));
        node(as<UnaryExpr>(*e).operand);
        return close();
      case ExprKind::kChain: {
        const auto& c = as<ChainExpr>(*e);
        open("chain");
        node(c.operands[0]);
        for (std::size_t i = 0; i < c.operators.size(); ++i) {
          atom(spelling(c.operators[i]));
          node(c.operands[i + 1]);
        }
        return close();
      }
      case ExprKind::kIf:
        open("if");
        for (const IfExprBranch& b : as<IfExpr>(*e).branches) {
          node(b.condition);
          node(b.value);
        }
        node(as<IfExpr>(*e).otherwise);
        return close();
      case ExprKind::kRange:
        open("range");
        node(as<RangeExpr>(*e).start);
        node(as<RangeExpr>(*e).step);
        node(as<RangeExpr>(*e).stop);
        return close();
      case ExprKind::kArray:
        open("array");
        list(as<ArrayExpr>(*e).elements);
        indices(as<ArrayExpr>(*e).iterators);
        return close();
      case ExprKind::kMatrix:
        open("matrix");
        for (const ExprList& row : as<MatrixExpr>(*e).rows) {
          open("row");
          list(row);
          close();
        }
        return close();
      case ExprKind::kTuple:
        open("tuple");
        list(as<TupleExpr>(*e).elements);
        return close();
      case ExprKind::kSuffix:
        open("suffix");
        node(as<SuffixExpr>(*e).base);
        atom(as<SuffixExpr>(*e).member.text);
        list(as<SuffixExpr>(*e).subscripts);
        return close();
      case ExprKind::kPartial:
        open("partial");
        node("name", as<PartialExpr>(*e).function);
        named(as<PartialExpr>(*e).named);
        return close();
    }
  }

 private:
  void gap() {
    if (!out_.empty() && out_.back() != '(') out_ += ' ';
  }
  void open(std::string_view kind) {
    gap();
    out_ += '(';
    out_ += kind;
  }
  void close() { out_ += ')'; }
  void atom(std::string_view text) {
    gap();
    out_ += text;
  }
  void flag(bool set, std::string_view text) {
    if (set) atom(text);
  }
  template <class Enum>
  void number(Enum e) {
    atom(std::to_string(static_cast<int>(e)));
  }

  void list(ExprList l) {
    for (const Expr* e : l) node(e);
  }
  void subscripts(ExprList l) {
    if (l.empty()) return;
    open("[]");
    list(l);
    close();
  }
  void reference(const ReferenceExpr& r) {
    open(r.global ? ".ref" : "ref");
    for (const ReferencePart& p : r.parts) {
      atom(p.name.text);
      subscripts(p.subscripts);
    }
    close();
  }
  void named(std::span<const NamedArgument> l) {
    for (const NamedArgument& a : l) {
      open("named");
      atom(a.name.text);
      node(a.value);
      close();
    }
  }
  void indices(std::span<const ForIndex> l) {
    for (const ForIndex& i : l) {
      open("for");
      atom(i.name.text);
      node(i.range);
      close();
    }
  }
  void call(const CallExpr& c) {
    open("call");
    reference(*c.callee);
    list(c.positional);
    indices(c.iterators);
    named(c.named);
    close();
  }

  void node(std::string_view kind, const Name& n) {
    open(kind);
    flag(n.global, ".");
    for (const Identifier& i : n.parts) atom(i.text);
    close();
  }

  void annotation(const Annotation* a) {
    if (a == nullptr) return;
    open("annotation");
    if (a->parsed != nullptr) {
      node(a->parsed);
    } else {
      atom(file_->text({a->open, a->range.end}));
    }
    close();
  }
  void node(const Description& d) {
    for (const std::string_view s : d.strings) atom(s);
    annotation(d.annotation);
  }

  void node(const Modification* m) {
    if (m == nullptr) return;
    open(m->has_arguments ? "modify()" : "modify");
    for (const Argument& a : m->arguments) node(a);
    if (m->is_break) atom("=break");
    if (m->value != nullptr) {
      atom("=");
      node(m->value);
    }
    close();
  }
  void node(const Argument& a) {
    open("argument");
    number(a.kind);
    flag(a.redeclare, "redeclare");
    flag(a.each, "each");
    flag(a.final, "final");
    flag(a.replaceable, "replaceable");
    node("name", a.name);
    node(a.modification);
    if (a.class_def != nullptr) node(*a.class_def);
    if (a.component != nullptr) node(*a.component);
    if (a.connection[0] != nullptr) {
      node(a.connection[0]);
      node(a.connection[1]);
    }
    node(a.constraint);
    node(a.description);
    close();
  }
  void node(const Constraint* c) {
    if (c == nullptr) return;
    open("constrainedby");
    node("name", c->type);
    node(c->modification);
    node(c->description);
    close();
  }
  void node(const ComponentClause& c) {
    open("components");
    number(c.prefix.connecting);
    number(c.prefix.variability);
    number(c.prefix.causality);
    node("type", c.type);
    subscripts(c.subscripts);
    for (const Component& x : c.components) {
      open("component");
      atom(x.name.text);
      subscripts(x.subscripts);
      node(x.modification);
      if (x.condition != nullptr) {
        atom("if");
        node(x.condition);
      }
      node(x.description);
      close();
    }
    close();
  }
  void node(const Element& e) {
    open("element");
    flag(e.redeclare, "redeclare");
    flag(e.final, "final");
    flag(e.inner, "inner");
    flag(e.outer, "outer");
    flag(e.replaceable, "replaceable");
    if (e.import != nullptr) {
      open("import");
      number(e.import->kind);
      atom(e.import->alias.text);
      node("name", e.import->name);
      for (const Identifier& i : e.import->list) atom(i.text);
      node(e.import->description);
      close();
    }
    if (e.extends != nullptr) {
      node("extends", e.extends->type);
      node(e.extends->modification);
      annotation(e.extends->annotation);
    }
    if (e.class_def != nullptr) node(*e.class_def);
    if (e.components != nullptr) node(*e.components);
    if (e.equation != nullptr) node(*e.equation, "parameter-equation");
    node(e.constraint);
    close();
  }

  template <class Item>
  void node(const Item& e, std::string_view kind) {
    open(kind);
    number(e.kind);
    indices(e.indices);
    if (e.left != nullptr) node(e.left);
    if (e.right != nullptr) node(e.right);
    for (const auto& b : e.branches) {
      open("branch");
      node(b.condition);
      for (const Item* item : b.body) node(*item, kind);
      close();
    }
    node(e.description);
    close();
  }

  void node(const ClassDef& c) {
    open(spelling(c.kind));
    atom(c.name.text);
    number(c.form);
    number(c.purity);
    number(c.causality);
    flag(c.encapsulated, "encapsulated");
    flag(c.partial, "partial");
    flag(c.any_enumeration, "any");
    flag(c.constant_function, "constant");
    node("base", c.base);
    subscripts(c.subscripts);
    node(c.modification);
    for (const Identifier& v : c.variables) atom(v.text);
    for (const EnumLiteral& l : c.literals) {
      open("literal");
      atom(l.name.text);
      node(l.description);
      close();
    }
    for (const Section& s : c.sections) {
      out_ += '\n';
      open("section");
      number(s.kind);
      for (const Element& e : s.elements) node(e);
      for (const Equation* e : s.equations) node(*e, "equation");
      for (const Statement* e : s.statements) node(*e, "statement");
      close();
    }
    if (c.external != nullptr) node(*c.external);
    node(c.description);
    close();
  }
  void node(const External& e) {
    open("external");
    atom(e.language);
    node(e.result);
    atom(e.function.text);
    list(e.arguments);
    annotation(e.annotation);
    close();
  }

  std::string& out_;
  const SourceFile* file_;
};

}  // namespace

std::string dump(const SyntaxTree& tree) {
  std::string out;
  Dumper(out, tree.file).node(*tree.root);
  return out;
}

std::string dump(const Expr& e) {
  std::string out;
  Dumper(out, nullptr).node(&e);
  return out;
}

}  // namespace arges::lang
