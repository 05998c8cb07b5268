// Stream connectors (specification, chapter 15).
//
// A set of connected stream variables is a volume without content. With m_j the flows into the
// components of the set (inside connectors) and c_k the flows into the component around it
// (outside connectors), what a member sees is the mean over all others, weighted by what they put
// into the volume:
//
//   inStream(h_i) = sum w_n h_n / sum w_n  over n <> i,
//   w = positiveMax(-m_j), h = h_outflow           for inside connectors
//   w = positiveMax(c_k),  h = inStream(h_outflow)  for outside connectors, seen from outside
//
// An outside connector gets the equation h_outflow = the mean over all others. Members whose flow
// cannot have that sign (attributes min and max) put nothing into it. With one other member the
// mean is its value, whatever the flows are.
//
// positiveMax(w) = alpha max(w, 0) + (1 - alpha) eps, where alpha goes smoothly from 0 to 1 as the
// sum s of all max(w, 0) goes from 0 to eps: without any flow it is the plain mean.

#include <limits>

#include "arges/flatten/flattener.h"

namespace arges::lang {

using diag::Code;

namespace {

// Small against flows of the nominal value 1, but larger than the tolerance of nonlinear solvers.
constexpr double kSmallFlow = 1e-7;

}  // namespace

void Flattener::find_streams() {
  for (Instance* leaf : leaves_) {
    if (leaf->prefix.connecting != Connecting::kStream) continue;
    Instance* connector = leaf->parent;
    while (connector->parent != nullptr && instances_.kind(*connector) != ClassKind::kConnector) {
      connector = connector->parent;
    }
    Instance* flow = nullptr;
    for (Slot* slot : connector->order) {
      if (slot->kind != MemberKind::kComponent) continue;
      Instance* i = instances_.component(*connector, *slot);
      if (i != nullptr && i->basic == Basic::kScalar && i->dims.empty() &&
          i->prefix.connecting == Connecting::kFlow) {
        flow = i;
      }
    }
    if (flow == nullptr) continue;  // check_connector has said so, or it is no connector
    const VarId first = e_.variable(*leaf);
    for (std::size_t k = 0; k < count(leaf->dims); ++k) {
      stream_flows_[first.index + static_cast<std::int32_t>(k)] = flow;
    }
  }
  for (int i = 0; i < sets_.size(); ++i) {
    if (set_kinds_[static_cast<std::size_t>(i)] == Connecting::kStream) {
      stream_sets_[sets_.find(i)].push_back(i);
    }
  }
  e_.stream_flow = [this](VarId v, diag::Span where) {
    const auto it = stream_flows_.find(v.index);
    if (it == stream_flows_.end()) {
      fail(Code::kNoVariable, in_quotes(model_[v].name) + " is no stream variable of a connector",
           where);
    }
    return model_.ref(e_.variable(*it->second));
  };
  e_.in_stream = [this](VarId v) { return in_stream(v); };
}

ExprId Flattener::in_stream(VarId v) {
  if (const auto known = in_streams_.find(v.index); known != in_streams_.end()) {
    return known->second;
  }
  ExprId value = model_.ref(v);  // of a connector that is closed, or whose partners never give
  const auto it = set_nodes_.find(static_cast<std::int64_t>(v.index) * 2);
  if (it != set_nodes_.end()) {
    const ExprId mean = stream_mean(it->second);
    if (mean.valid()) value = mean;
  }
  in_streams_[v.index] = value;
  return value;
}

// The attribute of a flow, as far as it is known before the run.
double Flattener::flow_limit(Instance& flow, std::string_view attribute, double otherwise) {
  const Binding b = instances_.attribute(flow, attribute);
  if (b.expr == nullptr) return otherwise;
  try {
    Context c;
    c.structural = true;
    const Value v = e_.bound_value(b, c);
    return v.is_scalar() && e_.pool().is_constant(v.scalar()) ? e_.pool().value(v.scalar())
                                                              : otherwise;
  } catch (const Failure&) {
    return otherwise;  // it depends on variables
  }
}

ExprId Flattener::stream_mean(int except) {
  ExprPool& pool = e_.pool();
  struct Source {
    ExprId flow;  // into the volume
    VarId stream;
    bool outside;
  };
  std::vector<Source> sources;
  const std::vector<int>& set = stream_sets_.at(sets_.find(except));
  const bool pair = set.size() == 2;
  double eps = kSmallFlow;
  for (const int n : set) {
    if (n == except) continue;
    const auto [v, outside] = set_members_[static_cast<std::size_t>(n)];
    const auto owner = stream_flows_.find(v.index);
    if (owner == stream_flows_.end()) continue;
    Instance& flow = *owner->second;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const bool never = outside ? flow_limit(flow, "max", kInfinity) <= 0
                               : flow_limit(flow, "min", -kInfinity) >= 0;
    if (never && !pair) continue;
    const ExprId m = model_.ref(e_.variable(flow));
    sources.push_back({outside ? m : pool.neg(m), v, outside});
    eps = std::min(eps, kSmallFlow * std::abs(flow_limit(flow, "nominal", 1)));
  }
  const auto value = [&](const Source& s) {
    return s.outside ? in_stream(s.stream) : model_.ref(s.stream);
  };
  if (sources.empty()) return {};
  if (sources.size() == 1) return value(sources[0]);
  const ExprId zero = pool.real(0);
  const ExprId one = pool.real(1);
  const ExprId small = pool.real(eps);
  std::vector<ExprId> weights;
  for (const Source& s : sources) weights.push_back(pool.make(Op::kMax, {s.flow, zero}));
  const ExprId total = e_.sum(weights, ScalarType::kReal);
  const ExprId x = pool.div(total, small);
  const ExprId bend = pool.mul(pool.mul(x, x), pool.sub(pool.real(3), pool.mul(pool.real(2), x)));
  const ExprId weight =
      pool.make(Op::kNoEvent,
                {pool.if_else(pool.make(Op::kGreater, {total, small}), one,
                              pool.if_else(pool.make(Op::kGreater, {total, zero}), bend, zero))});
  ExprId& alpha = stream_weights_[weight.index];  // of all stream variables of a connector
  if (!alpha.valid()) alpha = e_.auxiliary_variable("$flow", weight);
  const ExprId rest = pool.mul(pool.sub(one, alpha), small);
  std::vector<ExprId> parts;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    weights[i] = pool.add(pool.mul(alpha, weights[i]), rest);
    parts.push_back(pool.mul(weights[i], value(sources[i])));
  }
  const ExprId mean =
      pool.div(e_.sum(parts, ScalarType::kReal), e_.sum(weights, ScalarType::kReal));
  return e_.auxiliary_variable("$stream", pool.make(Op::kNoEvent, {mean}));
}

void Flattener::stream_equations(const std::vector<int>& set) {
  for (const int n : set) {
    const auto [v, outside] = set_members_[static_cast<std::size_t>(n)];
    if (!outside) continue;
    const ExprId mean = stream_mean(n);
    FlatEquation e{};
    e.lhs = model_.ref(v);
    e.rhs = mean.valid() ? mean : e_.pool().real(0);
    e.origin = set_origins_[static_cast<std::size_t>(n)];
    model_.equations.push_back(e);
  }
}

}  // namespace arges::lang
