#include "arges/devs/network.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges::devs {

namespace {

std::size_t count_nodes(const Model& model) {
  std::size_t count = 1;
  if (const Coupled* coupled = model.as_coupled()) {
    for (const auto& component : coupled->components()) count += count_nodes(*component);
  }
  return count;
}

}  // namespace

PortSide Network::sending_side(const Model& model) {
  return model.as_coupled() != nullptr ? PortSide::kExecutiveOut : PortSide::kOut;
}

Network::Network(const Model& root, Router& router, std::vector<std::uint32_t>& created)
    : router_(router) {
  const std::size_t count = count_nodes(root);
  nodes_.reserve(count);
  components_.reserve(count);
  node_of_.reserve(count);
  building_ = true;
  build(root, new_node(root, kNone), 0, created);
  for (Node& node : nodes_) {
    std::stable_sort(node.links.begin(), node.links.end(), [](const Link& a, const Link& b) {
      return std::tie(a.side, a.port) < std::tie(b.side, b.port);
    });
  }
  building_ = false;
  for (const std::uint32_t id : created) {
    const Model& sender = model(components_[id].node);
    const std::size_t ports = sender.ports(sending_side(sender)).size();
    for (std::size_t port = 0; port < ports; ++port) {
      dirty_.push_back({id, static_cast<std::uint16_t>(port)});
    }
  }
  update_routes();
}

Network::NodeId Network::new_node(const Model& model, NodeId parent) {
  NodeId id;
  if (free_nodes_.empty()) {
    id = static_cast<NodeId>(nodes_.size());
    nodes_.emplace_back();
  } else {
    id = free_nodes_.back();
    free_nodes_.pop_back();
  }
  nodes_[id].model = &model;
  nodes_[id].order = created_nodes_++;
  node_of_.emplace(&model, id);
  if (parent != kNone) attach(id, parent);
  return id;
}

void Network::attach(NodeId node, NodeId parent) {
  Inside& inside = *nodes_[parent].inside;
  nodes_[node].parent = parent;
  nodes_[node].place = static_cast<std::uint32_t>(inside.children.size());
  inside.children.push_back(node);
  if (inside.names_made) inside.names.emplace(model(node).name(), node);
}

void Network::detach(NodeId node) {
  Inside& inside = *nodes_[nodes_[node].parent].inside;
  if (inside.names_made) inside.names.erase(model(node).name());
  const std::uint32_t place = nodes_[node].place;
  inside.children[place] = inside.children.back();
  nodes_[inside.children[place]].place = place;
  inside.children.pop_back();
}

void Network::build(const Model& model, NodeId node, int inherited,
                    std::vector<std::uint32_t>& created) {
  const int own = model.info_->has_priority ? model.info_->priority : inherited;
  nodes_[node].priority = own;
  if (model.behaviour() != nullptr) {
    std::uint32_t id;
    if (free_components_.empty()) {
      id = static_cast<std::uint32_t>(components_.size());
      components_.emplace_back();
      router_.resize(components_.size());
    } else {
      ordered_by_number_ = false;
      id = free_components_.back();
      free_components_.pop_back();
    }
    if (own != 0) ordered_by_number_ = false;
    const std::uint64_t priority =
        static_cast<std::uint32_t>(own) ^ 0x80000000u;  // in the order of int
    components_[id] = {node, router_.add_lists(model.ports(sending_side(model)).size()),
                       priority << 32 | created_++};
    nodes_[node].component = id;
    created.push_back(id);
  }
  const Coupled* coupled = model.as_coupled();
  if (coupled == nullptr) return;
  nodes_[node].inside = std::make_unique<Inside>();
  nodes_[node].inside->children.reserve(coupled->components().size());
  for (const auto& component : coupled->components()) {
    build(*component, new_node(*component, node), own, created);
  }
  for (const Coupling& coupling : coupled->couplings()) couple(node, coupling.from, coupling.to);
}

bool Network::is_selected_before(std::uint32_t a, std::uint32_t b) const {
  // Up to the two components of the coupled model in which the ways to a and b part. An executive
  // is like a component of its own coupled model, without a priority, created with it.
  struct Way {
    NodeId in;
    int depth, priority;
    std::uint32_t order;
  };
  const auto begin = [&](NodeId node) {
    const bool executive = nodes_[node].inside != nullptr;
    const NodeId in = executive ? node : nodes_[node].parent;
    return Way{in, in == kNone ? 0 : depth(in), executive ? 0 : model(node).own_priority(),
               nodes_[node].order};
  };
  const auto up = [&](Way& way) {
    way = {nodes_[way.in].parent, way.depth - 1, model(way.in).own_priority(),
           nodes_[way.in].order};
  };
  Way first = begin(components_[a].node), second = begin(components_[b].node);
  while (first.depth > second.depth) up(first);
  while (second.depth > first.depth) up(second);
  while (first.in != second.in) {
    up(first);
    up(second);
  }
  return std::tie(first.priority, first.order) < std::tie(second.priority, second.order);
}

int Network::depth(NodeId node) const {
  int depth = 0;
  for (; nodes_[node].parent != kNone; node = nodes_[node].parent) ++depth;
  return depth;
}

std::string Network::path(NodeId node) const {
  const NodeId above = nodes_[node].parent;
  if (above == kNone || nodes_[above].parent == kNone) return model(node).name();
  return path(above) + "." + model(node).name();
}

Network::NodeId Network::node_of(const Model& model) const {
  const auto found = node_of_.find(&model);
  return found == node_of_.end() ? kNone : found->second;
}

Network::Inside& Network::names_of(NodeId parent) {
  Inside& inside = *nodes_[parent].inside;
  if (!inside.names_made) {
    for (const NodeId node : inside.children) inside.names.emplace(model(node).name(), node);
    inside.names_made = true;
  }
  return inside;
}

Network::NodeId Network::child(NodeId parent, const std::string& name) {
  const Inside& inside = names_of(parent);
  const auto found = inside.names.find(name);
  return found == inside.names.end() ? kNone : found->second;
}

std::size_t Network::child_count(NodeId parent) const {
  return nodes_[parent].inside->children.size();
}

bool Network::is_inside(NodeId node, NodeId ancestor) const {
  for (; node != kNone; node = nodes_[node].parent) {
    if (node == ancestor) return true;
  }
  return false;
}

Network::NodeId Network::add(NodeId parent, std::string name, std::unique_ptr<Model> model,
                             std::vector<std::uint32_t>& created) {
  check_name(name, "a component");
  if (child(parent, name) != kNone) {
    throw ApiError(fmt::format("{} has a component named '{}' already", path(parent), name));
  }
  changed_ = true;
  model->info_->name = std::move(name);
  model->info_->parent = this->model(parent).as_coupled();
  const NodeId node = new_node(*model, parent);
  nodes_[node].owned = std::move(model);
  build(*nodes_[node].model, node, nodes_[parent].priority, created);
  return node;
}

void Network::give_name(NodeId node, const std::string& name) {
  Inside& inside = *nodes_[nodes_[node].parent].inside;
  if (inside.names_made) {
    inside.names.erase(model(node).name());
    inside.names.emplace(name, node);
  }
  model(node).info_->name = name;
}

void Network::components_below(NodeId node, std::vector<std::uint32_t>& components) const {
  if (nodes_[node].component != kNone) components.push_back(nodes_[node].component);
  if (nodes_[node].inside == nullptr) return;
  for (const NodeId inner : nodes_[node].inside->children) components_below(inner, components);
}

void Network::remove(NodeId node) {
  detach(node);
  unlink_all(node);
  remove_node(node);
}

void Network::remove_node(NodeId node) {
  if (nodes_[node].inside != nullptr) {
    for (const NodeId inner : nodes_[node].inside->children) remove_node(inner);
  }
  Node& gone = nodes_[node];
  if (gone.component != kNone) {
    const ComponentInfo& info = components_[gone.component];
    router_.remove_lists(info.first_list, gone.model->ports(sending_side(*gone.model)).size());
    components_[gone.component] = {};
    free_components_.push_back(gone.component);
  }
  node_of_.erase(gone.model);
  if (gone.owned != nullptr) graveyard_.push_back(std::move(gone.owned));
  gone = {};
  free_nodes_.push_back(node);
}

// Whether its object belongs to one that the network owns.
bool Network::is_part_of_created(const Model& part) const {
  for (const Model* owner = part.parent(); owner != nullptr; owner = owner->parent()) {
    const NodeId node = node_of(*owner);
    if (node == kNone || nodes_[node].owned != nullptr) return true;
  }
  return false;
}

void Network::move(NodeId node, NodeId to) {
  changed_ = true;
  if (nodes_[node].owned != nullptr) {
    nodes_[node].owned->info_->parent = model(to).as_coupled();  // the old one may go
  } else if (is_part_of_created(model(node))) {
    keep_removed_ = true;
  }
  unlink_all(node);
  detach(node);
  attach(node, to);
}

}  // namespace arges::devs
