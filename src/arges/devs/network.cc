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

PortSide sending_side(const Model& model) {
  return model.as_coupled() != nullptr ? PortSide::kExecutiveOut : PortSide::kOut;
}

}  // namespace

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
  // is like a component of its own coupled model, without a priority.
  NodeId first = components_[a].node, second = components_[b].node;
  int first_priority = nodes_[first].inside != nullptr ? 0 : model(first).own_priority();
  int second_priority = nodes_[second].inside != nullptr ? 0 : model(second).own_priority();
  NodeId first_in = nodes_[first].inside != nullptr ? first : nodes_[first].parent;
  NodeId second_in = nodes_[second].inside != nullptr ? second : nodes_[second].parent;
  int first_depth = first_in == kNone ? 0 : depth(first_in);
  int second_depth = second_in == kNone ? 0 : depth(second_in);
  const auto up = [&](NodeId& in, int& priority, int& level) {
    priority = model(in).own_priority();
    in = nodes_[in].parent;
    --level;
  };
  while (first_depth > second_depth) up(first_in, first_priority, first_depth);
  while (second_depth > first_depth) up(second_in, second_priority, second_depth);
  while (first_in != second_in) {
    up(first_in, first_priority, first_depth);
    up(second_in, second_priority, second_depth);
  }
  if (first_priority != second_priority) return first_priority < second_priority;
  const auto creation = [&](std::uint32_t id) {
    return static_cast<std::uint32_t>(components_[id].order);
  };
  return creation(a) < creation(b);
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
  const NodeId node = add_unnamed(parent, std::move(model), created);
  give_name(node, name);
  return node;
}

Network::NodeId Network::add_unnamed(NodeId parent, std::unique_ptr<Model> model,
                                     std::vector<std::uint32_t>& created) {
  model->info_->name.clear();
  model->info_->parent = this->model(parent).as_coupled();
  const NodeId node = new_node(*model, parent);
  nodes_[node].owned = std::move(model);
  build(*nodes_[node].model, node, nodes_[node].model->priority(), created);
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

void Network::unlink_all(NodeId node) {
  for (const Link& link : nodes_[node].back) {
    // A link from inside to an own output or executive goes with the node.
    if (is_inside(link.other, node)) continue;
    mark_senders(link.other, link.other_side, link.other_port);
    std::vector<Link>& links = nodes_[link.other].links;
    links.erase(std::find(links.begin(), links.end(),
                          Link{link.other_side, link.side, link.other_port, link.port, node}));
  }
  std::erase_if(nodes_[node].back, [&](const Link& link) { return !is_inside(link.other, node); });
  for (const Link& link : nodes_[node].links) {
    if (is_inside(link.other, node)) continue;
    mark_senders(node, link.side, link.port);
    remove_back_link(node, link);
  }
  std::erase_if(nodes_[node].links, [&](const Link& link) { return !is_inside(link.other, node); });
}

void Network::remove_back_link(NodeId node, const Link& link) {
  std::vector<Link>& back = nodes_[link.other].back;
  back.erase(std::find(back.begin(), back.end(),
                       Link{link.other_side, link.side, link.other_port, link.port, node}));
}

void Network::move(NodeId node, NodeId to) {
  if (nodes_[node].owned == nullptr) keep_removed_ = true;
  unlink_all(node);
  detach(node);
  attach(node, to);
}

void Network::insert_link(NodeId from, Link link) {
  std::vector<Link>& links = nodes_[from].links;
  if (building_) {
    links.push_back(link);
  } else {
    links.insert(std::upper_bound(links.begin(), links.end(), link,
                                  [](const Link& a, const Link& b) {
                                    return std::tie(a.side, a.port) < std::tie(b.side, b.port);
                                  }),
                 link);
    mark_senders(from, link.side, link.port);
  }
  nodes_[link.other].back.push_back({link.other_side, link.side, link.other_port, link.port, from});
}

void Network::couple(NodeId where, const Port& from, const Port& to) {
  const NodeId source = node_of(from.owner()), target = node_of(to.owner());
  const auto parent_of = [&](NodeId node) -> const Model* {
    return node == kNone || nodes_[node].parent == kNone ? nullptr
                                                         : nodes_[nodes_[node].parent].model;
  };
  if (!building_) check_coupling(model(where), from, parent_of(source), to, parent_of(target));
  const Link link{from.side(), to.side(), from.index(), to.index(), target};
  const Link reverse{to.side(), from.side(), to.index(), from.index(), source};
  // The shorter of the two lists tells whether the coupling is there already.
  const std::vector<Link>&links = nodes_[source].links, &back = nodes_[target].back;
  const bool twice = links.size() < back.size()
                         ? std::find(links.begin(), links.end(), link) != links.end()
                         : std::find(back.begin(), back.end(), reverse) != back.end();
  if (twice) {
    throw ApiError(
        fmt::format("{} is coupled to {} twice in {}", from.path(), to.path(), path(where)));
  }
  insert_link(source, link);
}

void Network::decouple(NodeId where, const Port& from, const Port& to) {
  const NodeId source = node_of(from.owner()), target = node_of(to.owner());
  const Link link{from.side(), to.side(), from.index(), to.index(), target};
  const auto part_of_where = [&](NodeId node) {
    return node == where || (node != kNone && nodes_[node].parent == where);
  };
  if (part_of_where(source) && part_of_where(target)) {
    std::vector<Link>& links = nodes_[source].links;
    const auto found = std::find(links.begin(), links.end(), link);
    if (found != links.end()) {
      remove_back_link(source, link);
      links.erase(found);
      mark_senders(source, link.side, link.port);
      return;
    }
  }
  throw ApiError(
      fmt::format("there is no coupling from {} to {} in {}", from.path(), to.path(), path(where)));
}

void Network::hand_over_couplings(NodeId from, NodeId to) {
  const auto counterpart = [&](PortSide side, std::uint16_t port) {
    const PortInfo& old = model(from).ports(side)[port];
    const std::vector<PortInfo>& ports = model(to).ports(side);
    for (std::size_t i = 0; i < ports.size(); ++i) {
      if (ports[i].name == old.name && *ports[i].type == *old.type) {
        return static_cast<std::uint16_t>(i);
      }
    }
    const Model& taking = model(to);
    throw ApiError(fmt::format(
        "a new {} cannot take the place of {}: it has no port '{}' of type {} for a coupling to go "
        "on",
        type_in_words(typeid(taking)), path(from), old.name, type_in_words(*old.type)));
  };
  std::vector<Link> links, back;
  for (const Link& link : nodes_[from].links) {
    if (is_inside(link.other, from)) continue;
    links.push_back(link);
    links.back().port = counterpart(link.side, link.port);
  }
  for (const Link& link : nodes_[from].back) {
    if (is_inside(link.other, from)) continue;
    back.push_back(link);
    back.back().port = counterpart(link.side, link.port);
  }
  unlink_all(from);
  for (const Link& link : links) insert_link(to, link);
  for (const Link& link : back) {
    insert_link(link.other, {link.other_side, link.side, link.other_port, link.port, to});
  }
}

void Network::collect(NodeId node, PortSide side, std::uint16_t port,
                      std::vector<Route>& routes) const {
  const std::vector<Link>& links = nodes_[node].links;
  auto link = std::lower_bound(links.begin(), links.end(), std::tie(side, port),
                               [](const Link& a, const std::tuple<PortSide&, std::uint16_t&>& key) {
                                 return std::tie(a.side, a.port) < key;
                               });
  for (; link != links.end() && link->side == side && link->port == port; ++link) {
    const Node& other = nodes_[link->other];
    const bool arrived = link->other_side == PortSide::kExecutiveIn ||
                         (link->other_side == PortSide::kIn && other.inside == nullptr);
    if (arrived) {
      routes.push_back({other.component, link->other_port});
    } else {
      collect(link->other, link->other_side, link->other_port, routes);
    }
  }
}

void Network::mark_senders(NodeId node, PortSide side, std::uint16_t port) {
  if (nodes_[node].component != kNone && side == sending_side(model(node))) {
    dirty_.push_back({nodes_[node].component, port});
    return;
  }
  for (const Link& link : nodes_[node].back) {
    if (link.side == side && link.port == port) {
      mark_senders(link.other, link.other_side, link.other_port);
    }
  }
}

void Network::sort_routes(std::vector<Route>& routes) const {
  const auto before = [&](const Route& a, const Route& b) {
    const std::uint64_t first = components_[a.component].order;
    const std::uint64_t second = components_[b.component].order;
    return std::tie(first, a.port) < std::tie(second, b.port);
  };
  if (!std::is_sorted(routes.begin(), routes.end(), before)) {
    std::sort(routes.begin(), routes.end(), before);
  }
}

void Network::update_routes() {
  if (dirty_.empty()) return;
  std::sort(dirty_.begin(), dirty_.end());
  dirty_.erase(std::unique(dirty_.begin(), dirty_.end()), dirty_.end());
  for (const Dirty& entry : dirty_) {
    const ComponentInfo& info = components_[entry.component];
    if (info.node == kNone) continue;  // removed since
    const Model& sender = model(info.node);
    const PortSide side = sending_side(sender);
    if (entry.port >= sender.ports(side).size()) continue;  // the number was used again
    scratch_.clear();
    collect(info.node, side, entry.port, scratch_);
    sort_routes(scratch_);
    router_.set_routes(info.first_list + entry.port, scratch_);
  }
  dirty_.clear();
}

void Network::routes_from_outside(const Port& input, std::vector<Route>& routes) const {
  if (nodes_[kRoot].inside == nullptr || is_executive(input.side())) {
    routes.push_back({nodes_[kRoot].component, input.index()});
  } else {
    collect(kRoot, input.side(), input.index(), routes);
    sort_routes(routes);
  }
}

}  // namespace arges::devs
