#pragma once
// The instance tree to the flat model.
//
//   1. walk all components: instances, in the order of the text
//   2. connections: sets of connected variables, cardinality, overconstrained graphs
//   3. variables: attributes, values
//   4. equations, algorithms
//   5. equations of the connection sets
// Each equation that fails is reported, and the next one is tried.

#include <map>
#include <unordered_set>

#include "arges/flatten/evaluator.h"
#include "arges/flatten/machine_maker.h"

namespace arges::lang {

// A set of things that grow together.
class UnionFind {
 public:
  int add() {
    parent_.push_back(static_cast<int>(parent_.size()));
    return parent_.back();
  }
  int find(int i) {
    while (parent_[static_cast<std::size_t>(i)] != i) {
      parent_[static_cast<std::size_t>(i)] =
          parent_[static_cast<std::size_t>(parent_[static_cast<std::size_t>(i)])];
      i = parent_[static_cast<std::size_t>(i)];
    }
    return i;
  }
  // False: they were together already. The smaller number stays the root.
  bool join(int a, int b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    parent_[static_cast<std::size_t>(a > b ? a : b)] = a > b ? b : a;
    return true;
  }
  int size() const { return static_cast<int>(parent_.size()); }

 private:
  std::vector<int> parent_;
};

class Flattener {
 public:
  Flattener(Instances& instances, Evaluator& evaluator, diag::Diagnostics& diagnostics);

  // `origin`: the class of which `node` is a modification; then its name, description and
  // annotations are those of the model.
  void flatten(ClassNode& node, ClassNode* origin = nullptr);

 private:
  // What equations become.
  struct Sink {
    std::vector<FlatEquation> equations;
    // Calls that are made for their effect. They determine nothing, so that a case of an `if` may
    // lack them.
    std::vector<FlatEquation> effects;
    std::vector<FlatAssert> asserts;
    std::vector<WhenClause> whens;
    bool initial = false;
    bool conditional = false;  // a case that may not apply
  };

  void attempt(const std::function<void()>& step);

  // flattener.cc
  void flatten_all(ClassNode& node, ClassNode* origin);
  void check_class(ClassNode& node);
  void mark_structural();
  void walk(Instance& i);
  void check_connector(Instance& i);
  void experiment(Instance& root, ClassNode& node);

  // variables.cc
  void variable(Instance& i);
  bool is_annotated_evaluate(const Instance& i);
  bool hides_result(const Instance& i);
  void attributes(Instance& i, std::size_t n);
  void bind(Instance& i);
  void check_variability(Instance& i, ExprId root, diag::Span where);

  // equations.cc
  void sections(Instance& i);
  void equations(EquationList list, const Context& c, Sink& out);
  void equation(const Equation& e, const Context& c, Sink& out);
  void equal(const Equation& e, const Context& c, Sink& out);
  void equate(const Value& a, const Value& b, const Context& c, TextRange range, Sink& out);
  void if_equation(const Equation& e, const Context& c, Sink& out);
  // The branch that parameters choose; -1: none, -2: not known.
  int chosen_branch(std::span<const Branch<Equation>> branches, const Context& c);
  void merge(const std::vector<ExprId>& conditions, std::vector<Sink>& cases, const Context& c,
             TextRange range, Sink& out);
  // What is said at the start counts at the start only.
  void only_at_start(Sink& sink);
  void call_equation(const Equation& e, const Context& c, Sink& out);
  FlatAssert make_assert(const CallExpr& call, const Context& c, TextRange range);

  // when.cc
  void when_equation(const Equation& e, const Context& c, Sink& out);
  void when_actions(EquationList list, const Context& c, std::vector<WhenAction>& out);
  void clocked_equations(EquationList list, const Context& c, std::vector<WhenAction>& actions,
                         Sink& out);
  void when_action(const Equation& e, const Context& c, std::vector<WhenAction>& out);
  void when_assign(const Value& target, const Value& value, const Context& c, TextRange range,
                   std::vector<WhenAction>& out);
  void when_if(const Equation& e, const Context& c, std::vector<WhenAction>& out);

  // connections.cc
  void connections(Instance& i);
  void connections(EquationList list, const Context& c);
  void connect(const Equation& e, const Context& c);
  void connect_instances(Instance& a, Instance& b, bool outside_a, bool outside_b, const Context& c,
                         TextRange range);
  void connect_leaves(Instance& a, std::size_t offset_a, Instance& b, std::size_t offset_b,
                      std::size_t n, bool outside_a, bool outside_b, const Context& c,
                      TextRange range);
  int node(VarId v, bool outside);

  // islands.cc
  void check_islands();
  void report_island(int island, const std::function<int(int)>& islander,
                     const std::vector<std::int32_t>& variables,
                     const std::unordered_map<std::int32_t, Instance*>& flows);

  // streams.cc
  void find_streams();
  ExprId in_stream(VarId v);
  // What a member of a set gets from the others; invalid: nothing.
  ExprId stream_mean(int except);
  void stream_equations(const std::vector<int>& set);
  double flow_limit(Instance& flow, std::string_view attribute, double otherwise);

  // connection_rules.cc
  void check_connection_form(const Expr& e, const Evaluator::Place& place, const Context& c);
  void check_connected(Instance& a, Instance& b, const Context& c, TextRange range);
  void note_signal(VarId a, const Instance& ia, bool outside_a, VarId b, const Instance& ib,
                   bool outside_b, const Context& c, TextRange range);
  void check_signals();
  void check_when_target(const Expr& target, const Context& c);
  void check_when_branches(const WhenClause& clause, diag::Span where);
  // operator_rules.cc
  void check_operator_uses();

  // buses.cc
  struct BusEnd {
    Instance* component = nullptr;
    Dims dims{};              // of what is named of it, when its type is basic
    Instance* bus = nullptr;  // the member `name` of it is missing
    std::string_view name{};
    ExprList subscripts{};  // of the member
  };
  bool is_bus(Instance& i);
  // Or an array of them.
  bool has_buses(Instance& i);
  void expand_buses();
  static std::vector<BusEnd> component_ends(const Evaluator::Place& p, bool has_subscripts);
  std::vector<BusEnd> bus_ends(const Expr& e, const Context& c);
  void bus_connection(const Equation& e, const Context& c);
  void bus_connection(const BusEnd& a, const BusEnd& b, const Context& c);
  void add_member(Instance& bus, std::string_view name, Instance& like, Dims dims);
  // The dimensions of a missing member that has `like` where the end says.
  Dims member_dims(const BusEnd& end, const BusEnd& like, const Context& c);
  // bus.x[i]: the size that the subscripts ask for.
  void note_size(const BusEnd& end, const Context& c);
  void share_sizes(Instance& from, Instance& to);
  void activate(Instance& member);
  // bus_arrays.cc
  bool has_open_size(Instance& member);
  void grow(Instance& member, const Dims& dims);
  Dims largest_positions(ExprList subscripts, const Context& c);
  void fit(const BusEnd& end, const BusEnd& other);
  void drop_unconnected();
  void share_members(Instance& a, Instance& b);
  void give_members(Instance& from, Instance& to);
  void overconstrained_call(const CallExpr& call, const Context& c);
  void resolve_graph();
  void connection_equations();
  void zero_flows();

  Instances& instances_;
  Evaluator& e_;
  FlatModel& model_;
  diag::Diagnostics& diagnostics_;
  MachineMaker machines_;
  std::vector<Instance*> classes_;  // in the order of the walk
  std::vector<Instance*> leaves_;
  Instance* root_ = nullptr;

  bool has_buses_ = false;
  bool collecting_ = false;
  bool bus_changed_ = false;
  bool sizing_ = false;  // sizes of members are collected, before members are made
  std::unordered_map<Instance*, std::map<std::string_view, Dims>> member_sizes_;  // by bus
  std::unordered_set<Instance*> active_;  // members of buses that are connected
  std::unordered_set<Instance*> added_;   // of them: those that no class declares

  UnionFind sets_;
  std::vector<std::pair<VarId, bool>> set_members_;  // variable, outside
  std::unordered_map<std::int64_t, int> set_nodes_;
  std::vector<Origin> set_origins_;
  std::vector<Connecting> set_kinds_;

  std::unordered_map<std::int32_t, Instance*> stream_flows_;  // of each stream variable
  std::unordered_map<int, std::vector<int>> stream_sets_;
  std::unordered_map<std::int32_t, ExprId> in_streams_;
  std::unordered_map<std::int32_t, ExprId> stream_weights_;

  // A connection of inputs and outputs, and which of the two gives the signal.
  struct Signal {
    const Instance* scope;
    VarId a;
    VarId b;
    bool gives_a;
    bool gives_b;
    Scope text;
    TextRange range;
  };
  std::vector<Signal> signals_;

  struct Edge {
    Instance* a;
    Instance* b;
    Context context;
    TextRange range;
  };
  std::vector<Edge> optional_edges_;
  std::vector<std::pair<Instance*, Instance*>> branches_;
  std::vector<Instance*> definite_roots_;
  std::vector<std::pair<int, Instance*>> potential_roots_;
  std::vector<Edge> broken_edges_;
};

}  // namespace arges::lang
