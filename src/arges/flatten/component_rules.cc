// What the declaration of a component may say (specification, chapters 4.4 and 9.3.1).

#include <optional>

#include "arges/flatten/instances.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;
using diag::Diagnostic;

namespace {

std::string spelled(const TypePrefix& p) {
  if (p.connecting == Connecting::kFlow) return "flow";
  if (p.connecting == Connecting::kStream) return "stream";
  if (p.causality == Causality::kInput) return "input";
  if (p.causality == Causality::kOutput) return "output";
  if (p.variability == Variability::kDiscrete) return "discrete";
  return p.variability == Variability::kParameter ? "parameter" : "constant";
}

}  // namespace

// `prefix` is that of the declaration and of the type; the prefixes of the owner are not in it yet.
void Instances::check_component(Instance& owner, const Slot& slot, const TypePrefix& prefix,
                                Instance& made, diag::Span where) {
  const ClassKind what = made.basic != Basic::kNone ? ClassKind::kType : kind(made);
  const bool any = prefix.connecting != Connecting::kNone ||
                   prefix.variability != Variability::kNone || prefix.causality != Causality::kNone;
  if (any && (what == ClassKind::kModel || what == ClassKind::kBlock)) {
    throw Failure{Diagnostic(Code::kWrongPrefix,
                             in_quotes(slot.name) + " is a " + std::string(spelling(what)) +
                                 " and cannot be `" + spelled(prefix) + "`",
                             where)
                      .suggest("remove the prefix; it is for variables, records and connectors")};
  }
  if (prefix.connecting != Connecting::kNone && made.basic == Basic::kScalar &&
      made.type != ScalarType::kReal) {
    fail(Code::kWrongPrefix,
         "`" + spelled({prefix.connecting, {}, {}}) + "` is for Real variables, but " +
             in_quotes(slot.name) + " is of type " + std::string(to_string(made.type)),
         where);
  }
  if (prefix.connecting == Connecting::kFlow && what == ClassKind::kOperatorRecord) {
    for (const std::string_view needed : {"'+'", "'-'", "'0'"}) {
      if (find(made, needed) != nullptr) continue;
      fail(Code::kMissingOperator,
           "flow variables are added up, but " + in_quotes(made.cls.node->path()) +
               " has no operator " + std::string(needed),
           where);
    }
  }
  const ClassKind around = owner.basic != Basic::kNone ? ClassKind::kType : kind(owner);
  if (prefix.connecting == Connecting::kStream && !is_connector(around)) {
    fail(Code::kWrongPrefix, "`stream` variables are declared in connectors only", where);
  }
  if (prefix.connecting == Connecting::kFlow && around == ClassKind::kExpandableConnector &&
      made.basic != Basic::kNone) {
    fail(
        Code::kWrongPrefix,
        in_quotes(slot.name) + " is `flow`, which an expandable connector cannot declare by itself",
        where);
  }
  if (is_connector(what) && made.basic == Basic::kNone &&
      prefix.variability >= Variability::kParameter) {
    fail(Code::kWrongPrefix,
         "the connector " + in_quotes(slot.name) + " cannot be `" +
             spelled({{}, prefix.variability, {}}) + "`",
         where);
  }
  if (owner.parent != nullptr && owner.basic == Basic::kNone && owner.slot != nullptr) {
    const TypePrefix& outer = owner.prefix;
    const bool both_causal =
        outer.causality != Causality::kNone && prefix.causality != Causality::kNone;
    const bool both_connecting =
        outer.connecting != Connecting::kNone && prefix.connecting != Connecting::kNone;
    if (both_causal || both_connecting) {
      const TypePrefix a =
          both_causal ? TypePrefix{{}, {}, outer.causality} : TypePrefix{outer.connecting, {}, {}};
      const TypePrefix b = both_causal ? TypePrefix{{}, {}, prefix.causality}
                                       : TypePrefix{prefix.connecting, {}, {}};
      fail(Code::kWrongPrefix,
           in_quotes(full_name(owner)) + " is `" + spelled(a) + "`, but its element " +
               in_quotes(slot.name) + " is `" + spelled(b) + "` by itself",
           where);
    }
  }
  if ((around == ClassKind::kFunction || around == ClassKind::kOperatorFunction) &&
      (what == ClassKind::kModel || what == ClassKind::kBlock || is_connector(what)) &&
      made.basic == Basic::kNone) {
    fail(Code::kClassRestriction,
         "a function cannot have the " + std::string(spelling(what)) + " " + in_quotes(slot.name) +
             "; its components are types, records and functions",
         where);
  }
}

// Connectors have as many potential as flow variables, and exactly one scalar flow variable beside
// streams. Asked for the connectors of models, not for each of their parts.
void Instances::check_connector(Instance& connector) {
  int potential = 0;
  int flow = 0;
  int stream = 0;
  bool known = true;
  // The equations of an overdetermined type are as many as its equalityConstraint has residues.
  const auto residues = [&](Instance& i) -> std::optional<int> {
    Slot* constraint = find(i, "equalityConstraint");
    if (constraint == nullptr || constraint->kind != MemberKind::kClass) return std::nullopt;
    Instance& function = class_instance({Resolved::Kind::kSlot, &i, constraint, nullptr});
    expand(function);
    for (Slot* slot : function.order) {
      if (slot->kind != MemberKind::kComponent) continue;
      if (slot->element->components->prefix.causality != Causality::kOutput) continue;
      if (Instance* output = component(function, *slot)) {
        return static_cast<int>(count(output->dims));
      }
    }
    return 0;
  };
  const auto count_in = [&](auto&& self, Instance& i) -> void {
    if (i.is_array()) {
      for (Instance* item : i.items) {
        expand(*item);
        self(self, *item);
      }
      return;
    }
    if (const std::optional<int> n = residues(i)) {
      potential += *n;
      return;
    }
    if (i.basic != Basic::kNone) {
      if (i.prefix.variability >= Variability::kParameter ||
          i.prefix.causality != Causality::kNone) {
        return;
      }
      (i.prefix.connecting == Connecting::kFlow     ? flow
       : i.prefix.connecting == Connecting::kStream ? stream
                                                    : potential) += static_cast<int>(count(i.dims));
      return;
    }
    if (&i != &connector && kind(i) == ClassKind::kExpandableConnector) {
      known = false;
      return;
    }
    for (Slot* slot : i.order) {
      if (slot->kind != MemberKind::kComponent) continue;
      if (Instance* c = component(i, *slot)) self(self, *c);
    }
  };
  count_in(count_in, connector);
  const diag::Span where =
      connector.text == nullptr ? diag::Span{} : span(connector.text_scope, connector.text->range);
  Instance* owner = connector.parent;
  while (owner != nullptr && owner->is_array()) owner = owner->parent;
  if (owner != nullptr && kind(*owner) == ClassKind::kBlock && !connector.is_protected &&
      flow + potential > 0) {
    fail(Code::kClassRestriction,
         "the variables of the connector " + in_quotes(connector.name) +
             " of a block must be `input` or `output`",
         where);
  }
  if (stream > 0 && flow != 1) {
    fail(Code::kUnbalancedConnector,
         "the connector " + in_quotes(connector.cls.node->path()) + " has stream variables and " +
             std::to_string(flow) + " scalar flow variables; it needs exactly one",
         where);
  }
  if (known && flow != potential) {
    throw Failure{
        Diagnostic(Code::kUnbalancedConnector,
                   "the connector " + in_quotes(connector.cls.node->path()) + " has " +
                       std::to_string(potential) + " potential and " + std::to_string(flow) +
                       " flow variables; the numbers must agree",
                   where)
            .note("variables that are input, output, parameter, constant or stream do not count")};
  }
}

}  // namespace arges::lang
