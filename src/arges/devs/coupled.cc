#include "arges/devs/coupled.h"

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges::devs {

Coupled::~Coupled() {
  while (!components_.empty()) {
    components_.back()->~Model();
    components_.pop_back();
  }
}

void Coupled::check_new_name(const std::string& name) const {
  check_name(name, "a component");
  if (by_name_.contains(name)) {
    throw ApiError(fmt::format("{} has two components named '{}': rename one", path(), name));
  }
}

void Coupled::adopt(std::string name, Model* model) {
  by_name_.emplace(name, components_.size());
  model->info_->name = std::move(name);
  model->info_->parent = this;
  components_.push_back(model);
}

const Model* Coupled::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : components_[found->second];
}

void Coupled::couple(const Port& from, const Port& to) {
  check_coupling(*this, from, from.owner().parent(), to, to.owner().parent());
  couplings_.push_back({from, to});
}

void Coupled::set_priority(const Model& component, int priority) {
  if (component.parent() != this) {
    throw ApiError(
        fmt::format("{} is not a component of {}: its priority is set by the coupled "
                    "model that contains it",
                    component.path(), path()));
  }
  component.info_->has_priority = true;
  component.info_->priority = priority;
}

void check_coupling(const Model& where, const Port& from, const Model* from_parent, const Port& to,
                    const Model* to_parent) {
  const auto refuse = [&](const std::string& why) {
    throw ApiError(fmt::format("{} cannot be coupled to {} in {}: {}", from.path(), to.path(),
                               where.path(), why));
  };
  const bool from_own = &from.owner() == &where, to_own = &to.owner() == &where;
  if (!from_own && from_parent != &where) {
    refuse(fmt::format("{} is not a component of {}", from.owner().path(), where.path()));
  }
  if (!to_own && to_parent != &where) {
    refuse(fmt::format("{} is not a component of {}", to.owner().path(), where.path()));
  }
  // A component seen from outside has kIn and kOut only; the executive is like a component.
  if (!from_own && is_executive(from.side())) refuse("an executive port is not seen from outside");
  if (!to_own && is_executive(to.side())) refuse("an executive port is not seen from outside");
  const bool from_boundary = from_own && !is_executive(from.side());
  const bool to_boundary = to_own && !is_executive(to.side());
  if (from_boundary ? from.side() != PortSide::kIn : is_input(from.side())) {
    refuse(from_boundary ? "inside a coupled model, messages come from its inputs"
                         : "messages leave a component through an output port");
  }
  if (to_boundary ? to.side() != PortSide::kOut : !is_input(to.side())) {
    refuse(to_boundary ? "inside a coupled model, messages go to its outputs"
                       : "messages enter a component through an input port");
  }
  if (from_boundary && to_boundary) refuse("an input does not go straight to an output");
  const bool same_component = &from.owner() == &to.owner() && from_boundary == to_boundary;
  if (same_component) refuse("a component is not coupled to itself");
  if (from.type() != to.type()) {
    refuse(fmt::format("the first carries {}, the second {}", from.type_name(), to.type_name()));
  }
}

}  // namespace arges::devs
