#include "arges/devs/structure.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/devs/simulator.h"

namespace arges::devs {

const char* to_string(StructureEvent::Kind kind) {
  switch (kind) {
    case StructureEvent::Kind::kAdded:
      return "added";
    case StructureEvent::Kind::kRemoved:
      return "removed";
    case StructureEvent::Kind::kMoved:
      return "moved";
    case StructureEvent::Kind::kExchanged:
      return "exchanged";
    case StructureEvent::Kind::kCoupled:
      return "coupled";
    case StructureEvent::Kind::kDecoupled:
      return "decoupled";
  }
  return "";
}

// A model that is gone leaves its object, until the end of the step, and a number that another one
// may have got.
std::uint32_t Structure::here() const {
  if (!simulator_->network_.is_at(node_, *model_)) {
    throw ApiError(
        fmt::format("{} has been removed: it has no structure any more", model_->name()));
  }
  return node_;
}

Structure::Structure(Simulator& simulator, std::uint32_t node, std::uint32_t executive)
    : simulator_(&simulator),
      model_(&simulator.network_.model(node)),
      node_(node),
      executive_(executive) {}

void Structure::note(int kind, const std::string& what,
                     const std::vector<std::uint32_t>& components) const {
  Simulator& s = *simulator_;
  s.structure_changed_ = true;
  ++s.statistics_.structure_changes;
  if (s.observer_ != nullptr) {
    s.observer_->on_structure(s, {s.time(), s.iteration(), executive_,
                                  static_cast<StructureEvent::Kind>(kind), what, components});
  }
}

std::uint32_t Structure::own_node(const Model& component, bool direct) const {
  const Network& network = simulator_->network_;
  const std::uint32_t node = network.node_of(component);
  const bool own = node != kNone && node != here() &&
                   (direct ? network.parent(node) == here() : network.is_inside(node, here()));
  if (!own) {
    throw ApiError(fmt::format("{} is not a component of {}",
                               node == kNone ? "that model" : network.path(node),
                               network.path(here())));
  }
  return node;
}

std::string Structure::path_of(const std::string& name) const {
  const Network& network = simulator_->network_;
  return here() == Network::kRoot ? name : network.path(here()) + "." + name;
}

void Structure::adopt(std::string name, std::unique_ptr<Model> model) {
  Simulator& s = *simulator_;
  s.structure_changed_ = true;
  s.created_.clear();
  const std::uint32_t node = s.network_.add(here(), std::move(name), std::move(model), s.created_);
  create_or_take_back(node);
  note(static_cast<int>(StructureEvent::Kind::kAdded), s.network_.path(node));
}

// The new components get their states. When one throws, the network is as it was before.
void Structure::create_or_take_back(std::uint32_t node) {
  Simulator& s = *simulator_;
  try {
    s.create_all();
  } catch (...) {
    s.take_back_created();
    s.network_.remove(node);
    s.active_ = executive_;
    throw;
  }
  s.created_.clear();
  s.active_ = executive_;
}

std::vector<std::uint32_t> Structure::check_removal(std::uint32_t node, Pending pending) const {
  const Simulator& s = *simulator_;
  std::vector<std::uint32_t> gone;
  s.network_.components_below(node, gone);
  for (const std::uint32_t id : gone) {
    const double due = s.due_time(s.components_[id]);
    if (pending == Pending::kRefuse && due < kInfinity) {
      throw ApiError(fmt::format(
          "{} cannot be removed: it has a pending event at t = {}; wait until it is passive, or "
          "say Pending::kDrop",
          s.path(id), due));
    }
  }
  return gone;
}

void Structure::remove_node(std::uint32_t node, const std::vector<std::uint32_t>& gone) {
  Simulator& s = *simulator_;
  for (const std::uint32_t id : gone) {
    s.unschedule(id);
    s.destroy(id);
  }
  s.structure_changed_ = true;
  s.network_.remove(node);
}

void Structure::remove(const Model& component, Pending pending) {
  const std::uint32_t node = own_node(component, true);
  const std::string path = simulator_->network_.path(node);
  const std::vector<std::uint32_t> gone = check_removal(node, pending);
  remove_node(node, gone);
  note(static_cast<int>(StructureEvent::Kind::kRemoved), path, gone);
}

void Structure::replace(const Model& component, Pending pending, std::unique_ptr<Model> model) {
  Simulator& s = *simulator_;
  const std::uint32_t node = own_node(component, true);
  const std::string name(std::string_view(component.name()));  // a copy: the component goes
  const std::string path = s.network_.path(node);
  const std::vector<std::uint32_t> gone = check_removal(node, pending);
  s.network_.check_ports_for_couplings(node, *model);
  s.structure_changed_ = true;
  s.created_.clear();
  // The old one has no name until it is gone, so that names do not clash.
  s.network_.give_name(node, "");
  try {
    const std::uint32_t successor = s.network_.add(here(), name, std::move(model), s.created_);
    create_or_take_back(successor);
    s.network_.hand_over_couplings(node, successor);
  } catch (...) {
    s.network_.give_name(node, name);
    throw;
  }
  remove_node(node, gone);
  note(static_cast<int>(StructureEvent::Kind::kExchanged), path, gone);
}

void Structure::move(const Model& component, const Coupled& to) {
  Network& network = simulator_->network_;
  const std::uint32_t node = own_node(component, false);
  const std::uint32_t target = &to == &network.model(here()) ? here() : own_node(to, false);
  if (network.is_inside(target, node)) {
    throw ApiError(fmt::format("{} cannot be moved into itself", network.path(node)));
  }
  if (network.child(target, component.name()) != kNone) {
    throw ApiError(fmt::format("{} has a component named '{}' already", network.path(target),
                               component.name()));
  }
  simulator_->structure_changed_ = true;
  const std::string before = network.path(node);
  network.move(node, target);
  std::vector<std::uint32_t> moved;
  network.components_below(node, moved);
  note(static_cast<int>(StructureEvent::Kind::kMoved), before + " -> " + network.path(node), moved);
}

// "a.out -> b.in", where the two are now.
std::string Structure::way(const Port& from, const Port& to) const {
  const Network& network = simulator_->network_;
  const auto path = [&](const Port& port) {
    return network.path(network.node_of(port.owner())) + "." + port.name();
  };
  return path(from) + " -> " + path(to);
}

void Structure::couple(const Port& from, const Port& to) {
  simulator_->network_.couple(here(), from, to);
  note(static_cast<int>(StructureEvent::Kind::kCoupled), way(from, to));
}

void Structure::decouple(const Port& from, const Port& to) {
  simulator_->network_.decouple(here(), from, to);
  note(static_cast<int>(StructureEvent::Kind::kDecoupled), way(from, to));
}

Structure Structure::of(const Coupled& inner) const {
  return {*simulator_, own_node(inner, false), executive_};
}

const Model* Structure::find(const std::string& name) const {
  const std::uint32_t node = simulator_->network_.child(here(), name);
  return node == kNone ? nullptr : &simulator_->network_.model(node);
}

void Structure::not_there(const std::string& name) const {
  throw ApiError(fmt::format("{} has no component '{}' of the type asked for",
                             simulator_->network_.path(here()), name));
}

std::size_t Structure::size() const { return simulator_->network_.child_count(here()); }

std::vector<const Model*> Structure::components() const {
  std::vector<const Model*> models;
  for (const std::uint32_t node : simulator_->network_.children(here())) {
    models.push_back(&simulator_->network_.model(node));
  }
  std::sort(models.begin(), models.end(),
            [](const Model* a, const Model* b) { return a->name() < b->name(); });
  return models;
}

double Structure::time() const { return simulator_->time(); }

const void* Structure::state_of(const Model& component) const {
  own_node(component, false);
  return simulator_->state_of(component);
}

}  // namespace arges::devs
