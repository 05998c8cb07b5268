#include "arges/hybrid_devs/continuous_part.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <unordered_map>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges::hybrid_devs {

bool is_continuous(const devs::PortInfo& port) { return *port.type == typeid(Continuous); }

ContinuousPart::ContinuousPart(devs::Simulator& simulator) : HybridSystem("continuous parts") {
  collect(simulator);
  connect(simulator);
  prepare_rows();
  sort();
  declare();
}

void ContinuousPart::collect(devs::Simulator& simulator) {
  for (const std::uint32_t id : simulator.components()) {
    const devs::Model& model = simulator.model(id);
    const ContinuousBehaviour* behaviour = model.behaviour()->continuous;
    if (behaviour == nullptr) continue;
    Entry entry{id, &model, behaviour, simulator.mutable_state(id)};
    entry.first_x = x_count_;
    entry.x_count = behaviour->states(entry.state).size();
    entry.first_g = g_count_;
    entry.g_count = behaviour->conditions_of.size();
    x_count_ += entry.x_count;
    g_count_ += entry.g_count;
    entries_.push_back(entry);
    paths_.push_back(simulator.path(id));
  }
}

// Inputs of one port stand side by side, in the order of the components that drive it.
void ContinuousPart::connect(const devs::Simulator& simulator) {
  std::unordered_map<std::uint32_t, std::size_t> entry_of;  // looked up, never iterated
  for (std::size_t i = 0; i < entries_.size(); ++i) entry_of.emplace(entries_[i].component, i);
  std::size_t outputs = 0;
  for (Entry& entry : entries_) {
    entry.first_port = input_begin_.size();
    input_begin_.resize(input_begin_.size() + entry.model->ports(devs::PortSide::kIn).size() + 1);
    entry.first_output = outputs;
    outputs += entry.model->ports(devs::PortSide::kOut).size();
  }
  values_.resize(outputs);
  targets_.resize(outputs);

  // What is f(entry, output, target entry, port) for each continuous coupling, in order.
  const auto for_each_coupling = [&](auto f) {
    for (const Entry& entry : entries_) {
      const auto& ports = entry.model->ports(devs::PortSide::kOut);
      for (std::size_t p = 0; p < ports.size(); ++p) {
        if (!is_continuous(ports[p])) continue;
        for (const devs::Route& route :
             simulator.routes(entry.component, static_cast<std::uint16_t>(p))) {
          const auto found = entry_of.find(route.component);
          if (found == entry_of.end()) continue;  // an atomic without continuous functions
          f(entry.first_output + p, entries_[found->second], route.port);
        }
      }
    }
  };
  std::vector<std::uint32_t> count(input_begin_.size());
  for_each_coupling(
      [&](std::size_t, const Entry& to, std::uint16_t port) { ++count[to.first_port + port]; });
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < count.size(); ++i) {
    input_begin_[i] = begin;
    begin += count[i];
  }
  inputs_.resize(begin);
  std::vector<std::uint32_t> next = input_begin_;
  std::size_t last = static_cast<std::size_t>(-1);
  for_each_coupling([&](std::size_t output, const Entry& to, std::uint16_t port) {
    if (output != last) {
      targets_[output].begin = static_cast<std::uint32_t>(target_inputs_.size());
      last = output;
    }
    target_inputs_.push_back(next[to.first_port + port]++);
    targets_[output].end = static_cast<std::uint32_t>(target_inputs_.size());
  });
}

// Moore first, then Mealy when all Mealy components that it reads have been computed; then loops,
// and what reads them.
void ContinuousPart::sort() {
  // Which entry an input belongs to.
  std::vector<std::uint32_t> reader(inputs_.size());
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    for (std::uint32_t k = inputs_begin(entries_[i]); k < inputs_end(entries_[i]); ++k)
      reader[k] = i;
  }
  const auto for_each_reader = [&](const Entry& entry, auto f) {
    const std::size_t ports = entry.model->ports(devs::PortSide::kOut).size();
    for (std::size_t p = entry.first_output; p < entry.first_output + ports; ++p) {
      for (std::uint32_t k = targets_[p].begin; k < targets_[p].end; ++k) {
        f(reader[target_inputs_[k]]);
      }
    }
  };
  std::vector<int> missing(entries_.size());
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    if (!entries_[i].behaviour->mealy) {
      order_.push_back(i);
    } else {
      for_each_reader(entries_[i], [&](std::uint32_t to) { ++missing[to]; });
    }
  }
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].behaviour->mealy && missing[i] == 0) order_.push_back(i);
  }
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const Entry& entry = entries_[order_[k]];
    if (!entry.behaviour->mealy) continue;
    for_each_reader(entry, [&](std::uint32_t to) {
      if (--missing[to] == 0 && entries_[to].behaviour->mealy) order_.push_back(to);
    });
  }
  loop_of_.assign(entries_.size(), devs::kNone);
  anchors_.assign(values_.size(), 0.0);
  if (order_.size() == entries_.size()) return;
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].behaviour->mealy && missing[i] > 0) open.push_back(i);
  }
  sort_loops(open);
}

void ContinuousPart::declare() {
  declare_mode("flow");
  for (const Entry& entry : entries_) {
    const std::string& path = this->path(entry);
    for (std::size_t k = 0; k < entry.x_count; ++k) {
      declare_state(fmt::format("{}.x[{}]", path, k + 1), 0);
    }
    for (std::size_t k = 0; k < entry.g_count; ++k) {
      declare_event(fmt::format("{}.condition[{}]", path, k + 1),
                    entry.behaviour->conditions_of[k]);
    }
  }
  free_ = declare_discrete("free", 0);
  if (x_count_ == 0) {
    declare_state("nothing", 0);  // solvers want something to solve
  } else {
    declare_dependencies();
  }
}

std::pair<std::size_t, int> ContinuousPart::owner(EventId event) const {
  const auto index = static_cast<std::size_t>(event.index);
  const auto after = std::upper_bound(
      entries_.begin(), entries_.end(), index,
      [](std::size_t g, const Entry& entry) { return g < entry.first_g + entry.g_count; });
  return {static_cast<std::size_t>(after - entries_.begin()),
          static_cast<int>(index - after->first_g)};
}

void ContinuousPart::read(std::vector<double>& x) const {
  x.assign(std::max<std::size_t>(x_count_, 1), 0.0);
  for (const Entry& entry : entries_) {
    const std::span<const double> states = entry.behaviour->states(entry.state);
    std::copy(states.begin(), states.end(), x.begin() + static_cast<std::ptrdiff_t>(entry.first_x));
  }
}

void ContinuousPart::write(const double* x) const {
  for (const Entry& entry : entries_) {
    const std::span<double> states = entry.behaviour->states(entry.state);
    std::copy_n(x + entry.first_x, states.size(), states.begin());
  }
}

bool ContinuousPart::fits() const {
  return std::all_of(entries_.begin(), entries_.end(), [](const Entry& entry) {
    return entry.behaviour->states(entry.state).size() == entry.x_count;
  });
}

// In the handler of what a function of the component threw.
void ContinuousPart::throw_from(const Entry& entry) const {
  std::string what;
  bool recoverable = false;
  try {
    throw;
  } catch (const EvaluationError& error) {
    what = error.what();
    recoverable = error.recoverable();
  } catch (const std::exception& error) {
    what = error.what();
  } catch (...) {
    what = "an exception that is no std::exception";
  }
  broken_ = path(entry);
  throw ComponentError(broken_, what, recoverable);
}

void ContinuousPart::look_at(const Entry& entry, bool is_output, std::span<const double> values,
                             const Flow& at, bool with_inputs) const {
  const auto is_bad = [](double value) { return !std::isfinite(value); };
  const auto bad = std::find_if(values.begin(), values.end(), is_bad);
  if (bad == values.end() || std::any_of(at.x.begin(), at.x.end(), is_bad)) return;
  if (with_inputs) {
    for (std::uint32_t k = inputs_begin(entry); k < inputs_end(entry); ++k) {
      if (is_bad(inputs_[k])) return;
    }
  }
  non_finite_ = {&entry, is_output, static_cast<std::size_t>(bad - values.begin()), *bad, at.t};
}

std::string ContinuousPart::describe(const NonFinite& what) const {
  const std::string name =
      what.is_output ? fmt::format("the output '{}'",
                                   what.entry->model->ports(devs::PortSide::kOut)[what.index].name)
                     : fmt::format("the derivative of x[{}]", what.index + 1);
  return fmt::format(
      "{}: {} is {} at t = {:.17g}: look for a division by zero or a function outside its domain",
      path(*what.entry), name, what.value, what.t);
}

void ContinuousPart::compute_outputs(const Entry& entry, double t, const double* x) const {
  const std::size_t ports = entry.model->ports(devs::PortSide::kOut).size();
  if (ports == 0) return;
  const bool mealy = entry.behaviour->mealy;
  const Flow here = at(entry, t, x, mealy);
  call(entry, [&] {
    entry.behaviour->outputs(*entry.model, entry.state, here,
                             ContinuousValues(values_.data() + entry.first_output));
  });
  look_at(entry, true, {values_.data() + entry.first_output, ports}, here, mealy);
}

void ContinuousPart::compute_rates(const Entry& entry, double t, const double* x,
                                   std::span<double> dx) const {
  const Flow here = at(entry, t, x, true);
  call(entry, [&] { entry.behaviour->derivatives(*entry.model, entry.state, here, dx); });
  look_at(entry, false, dx, here, true);
}

void ContinuousPart::flow(double t, const double* x) const {
  for (const std::uint32_t i : order_) {
    const Entry& entry = entries_[i];
    if (loop_of_[i] == devs::kNone) {
      compute_outputs(entry, t, x);
    } else if (const Loop& loop = loops_[loop_of_[i]]; loop.members.front() == i) {
      solve(loop, t, x);
    }
    const std::size_t ports = entry.model->ports(devs::PortSide::kOut).size();
    for (std::size_t p = entry.first_output; p < entry.first_output + ports; ++p) {
      for (std::uint32_t k = targets_[p].begin; k < targets_[p].end; ++k) {
        inputs_[target_inputs_[k]] = values_[p];
      }
    }
  }
}

void ContinuousPart::derivatives(const Point& point, Rates xdot) const {
  const std::lock_guard guard(evaluates_);
  flow(point.t, point.x);
  if (x_count_ == 0) xdot.data()[0] = 0;
  for (const Entry& entry : entries_)
    compute_rates(entry, point.t, point.x, {xdot.data() + entry.first_x, entry.x_count});
  for (std::size_t row = 0; row < still_.size(); ++row) {
    if (is_still(row, point)) xdot.data()[row] = 0;
  }
}

void ContinuousPart::conditions(const Point& point, Conditions g) const {
  const std::lock_guard guard(evaluates_);
  ++call_;
  for (const Entry& entry : entries_) {
    if (entry.g_count == 0) continue;
    bring_inputs(entry, point.t, point.x);
    call(entry, [&] {
      entry.behaviour->conditions(*entry.model, entry.state, at(entry, point.t, point.x, true),
                                  {g.data() + entry.first_g, entry.g_count});
    });
  }
}

}  // namespace arges::hybrid_devs
