// Couplings, and the direct routes that follow from them.

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/devs/network.h"

namespace arges::devs {

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
  if (!building_) {
    check_coupling(model(where), from, parent_of(source), to, parent_of(target),
                   [&](const Model& of) { return present_path(of); });
  }
  const Link link{from.side(), to.side(), from.index(), to.index(), target};
  const Link reverse{to.side(), from.side(), to.index(), from.index(), source};
  // The shorter of the two lists tells whether the coupling is there already.
  const std::vector<Link>&links = nodes_[source].links, &back = nodes_[target].back;
  const bool twice = links.size() < back.size()
                         ? std::find(links.begin(), links.end(), link) != links.end()
                         : std::find(back.begin(), back.end(), reverse) != back.end();
  if (twice) {
    throw ApiError(fmt::format("{} is coupled to {} twice in {}", port_path(from), port_path(to),
                               path(where)));
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
  throw ApiError(fmt::format("there is no coupling from {} to {} in {}", port_path(from),
                             port_path(to), path(where)));
}

std::uint16_t Network::counterpart(NodeId from, PortSide side, std::uint16_t port,
                                   const Model& taking) const {
  const PortInfo& old = model(from).ports(side)[port];
  const std::vector<PortInfo>& ports = taking.ports(side);
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (ports[i].name == old.name && *ports[i].type == *old.type) {
      return static_cast<std::uint16_t>(i);
    }
  }
  throw ApiError(fmt::format(
      "a new {} cannot take the place of {}: it has no port '{}' of type {} for a coupling to go "
      "on",
      type_in_words(typeid(taking)), path(from), old.name, type_in_words(*old.type)));
}

void Network::check_ports_for_couplings(NodeId from, const Model& taking) const {
  for (const std::vector<Link>* links : {&nodes_[from].links, &nodes_[from].back}) {
    for (const Link& link : *links) {
      if (!is_inside(link.other, from)) counterpart(from, link.side, link.port, taking);
    }
  }
}

void Network::hand_over_couplings(NodeId from, NodeId to) {
  std::vector<Link> links, back;
  for (const Link& link : nodes_[from].links) {
    if (is_inside(link.other, from)) continue;
    links.push_back(link);
    links.back().port = counterpart(from, link.side, link.port, model(to));
  }
  for (const Link& link : nodes_[from].back) {
    if (is_inside(link.other, from)) continue;
    back.push_back(link);
    back.back().port = counterpart(from, link.side, link.port, model(to));
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
