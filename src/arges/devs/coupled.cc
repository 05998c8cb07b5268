#include "arges/devs/coupled.h"

#include <cstdint>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges::devs {

namespace {

bool begins_at_itself(const std::string& path) { return path.empty() || path.front() == '.'; }

std::string with_paths(const std::string& text, const std::vector<std::string>& paths) {
  std::string message;
  std::size_t next = 0;
  for (const char c : text) {
    if (c != BuildError::kPath) {
      message += c;
      continue;
    }
    const std::string& path = paths[next++];
    message += begins_at_itself(path) ? "model" + path : path;
  }
  return message;
}

bool is_same(const Port& a, const Port& b) {
  return &a.owner() == &b.owner() && a.side() == b.side() && a.index() == b.index();
}

bool is_same(const Coupling& a, const Coupling& b) {
  return is_same(a.from, b.from) && is_same(a.to, b.to);
}

std::uint64_t hash_of(const Port& port) {
  return reinterpret_cast<std::uintptr_t>(&port.owner()) * 8 + port.index() * 4u +
         static_cast<unsigned>(port.side());
}
// The place is in the upper bits.
std::uint64_t hash_of(const Coupling& coupling) {
  constexpr std::uint64_t kFirst = 0x9e3779b97f4a7c15, kSecond = 0xc2b2ae3d27d4eb4f;
  return (hash_of(coupling.from) * kFirst ^ hash_of(coupling.to)) * kSecond;
}

}  // namespace

BuildError::BuildError(std::string text, std::vector<std::string> paths)
    : ApiError(with_paths(text, paths)), text_(std::move(text)), paths_(std::move(paths)) {}

BuildError BuildError::inside(const std::string& name) const {
  std::vector<std::string> paths;
  for (const std::string& path : paths_)
    paths.push_back(fmt::format("{}{}{}", name, begins_at_itself(path) ? "" : ".", path));
  return {text_, std::move(paths)};
}

std::string relative_path(const Model& model) {
  return model.parent() == nullptr ? "" : model.path();
}

std::string relative_path(const Port& port) {
  return relative_path(port.owner()) + "." + port.name();
}

void throw_from_inside(const std::string& name) {
  try {
    throw;
  } catch (const BuildError& error) {
    throw error.inside(name);
  } catch (const ApiError& error) {
    throw BuildError(std::string(1, BuildError::kPath) + ": " + error.what(), {name});
  }
}

Coupled::~Coupled() {
  while (!components_.empty()) {
    components_.back()->~Model();
    components_.pop_back();
  }
}

void Coupled::check_new_name(const std::string& name) const {
  check_name(name, "a component");
  if (by_name_.contains(name)) {
    throw BuildError(
        fmt::format("{} has two components named '{}': rename one", BuildError::kPath, name),
        {relative_path(*this)});
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
  const auto as_built = [](const Model& model) { return relative_path(model); };
  check_coupling(*this, from, from.owner().parent(), to, to.owner().parent(), as_built);
  refuse_twice({from, to});
  couplings_.push_back({from, to});
}

// Open addressing, at most half full.
void Coupled::refuse_twice(const Coupling& coupling) {
  const auto place = [&](const Coupling& of) {
    return static_cast<std::size_t>(hash_of(of) >> 32) & (made_.size() - 1);
  };
  const auto next = [&](std::size_t at) { return (at + 1) & (made_.size() - 1); };
  if (2 * (couplings_.size() + 1) > made_.size()) {
    made_.assign(made_.empty() ? 16 : 4 * made_.size(), 0);
    for (std::uint32_t i = 0; i < couplings_.size(); ++i) {
      std::size_t at = place(couplings_[i]);
      while (made_[at] != 0) at = next(at);
      made_[at] = i + 1;
    }
  }
  std::size_t at = place(coupling);
  for (; made_[at] != 0; at = next(at)) {
    if (!is_same(couplings_[made_[at] - 1], coupling)) continue;
    throw BuildError(
        fmt::format("{0} is coupled to {0} twice in {0}", BuildError::kPath),
        {relative_path(coupling.from), relative_path(coupling.to), relative_path(*this)});
  }
  made_[at] = static_cast<std::uint32_t>(couplings_.size() + 1);
}

void Coupled::set_priority(const Model& component, int priority) {
  if (component.parent() != this) {
    throw BuildError(
        fmt::format("{0} is not a component of {0}: its priority is set by the coupled "
                    "model that contains it",
                    BuildError::kPath),
        {relative_path(component), relative_path(*this)});
  }
  component.info_->has_priority = true;
  component.info_->priority = priority;
}

void check_coupling(const Model& where, const Port& from, const Model* from_parent, const Port& to,
                    const Model* to_parent, const PathOf& path_of) {
  const auto refuse = [&](const std::string& why, const Model* stranger = nullptr) {
    std::vector<std::string> paths{path_of(from.owner()) + "." + from.name(),
                                   path_of(to.owner()) + "." + to.name(), path_of(where)};
    if (stranger != nullptr) {
      paths.push_back(path_of(*stranger));
      paths.push_back(path_of(where));
    }
    throw BuildError(
        fmt::format("{0} cannot be coupled to {0} in {0}: {1}", BuildError::kPath, why), paths);
  };
  const std::string not_inside = fmt::format("{0} is not a component of {0}", BuildError::kPath);
  const bool from_own = &from.owner() == &where, to_own = &to.owner() == &where;
  if (!from_own && from_parent != &where) {
    refuse(not_inside, &from.owner());
  }
  if (!to_own && to_parent != &where) {
    refuse(not_inside, &to.owner());
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
