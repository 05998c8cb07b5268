#pragma once
// The structure of a running model: the tree of components as it is now, the couplings, and from
// them the flat routes of messages.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "arges/devs/coupled.h"
#include "arges/devs/router.h"

namespace arges::devs {

// A node of the tree is an atomic or coupled model in its place. A *component* is a node with
// behaviour (an atomic, or the executive of a coupled model of variable structure); components have
// numbers of their own, dense, used again after a removal.
//
// Couplings are kept as links from port to port at both ends. A path of a message goes up through
// outputs of coupled models, once across, and down through their inputs; Network follows it when a
// coupling changes, and gives the Router the list of the atomics at its ends. Only lists that a
// change can have touched are made again, at the next update_routes().
class Network {
 public:
  using NodeId = std::uint32_t;
  static constexpr NodeId kRoot = 0;

  // Both outlive the network. `created` receives the components, in their order.
  Network(const Model& root, Router& router, std::vector<std::uint32_t>& created);

  struct ComponentInfo {
    NodeId node = kNone;  // kNone: the number is free
    std::uint32_t first_list = 0;
    std::uint64_t order = 0;  // (priority, creation)
  };
  const ComponentInfo& component(std::uint32_t id) const { return components_[id]; }
  // Whether a component with a smaller number always comes first: no priorities, no numbers used
  // again.
  bool ordered_by_number() const { return ordered_by_number_; }
  // Whether select does so too: also nothing was added or moved since the beginning.
  bool selects_by_number() const { return ordered_by_number_ && !changed_; }
  // The select function of classic DEVS: each coupled model prefers, of its components that are
  // imminent or have something imminent inside, the one with the smallest own priority, of equal
  // ones that which was created first.
  bool is_selected_before(std::uint32_t a, std::uint32_t b) const;
  std::size_t component_count() const { return components_.size(); }
  const Model& model(NodeId node) const { return *nodes_[node].model; }
  NodeId parent(NodeId node) const { return nodes_[node].parent; }
  std::uint32_t component_of(NodeId node) const { return nodes_[node].component; }
  int depth(NodeId node) const;
  std::string path(NodeId node) const;
  std::string component_path(std::uint32_t id) const { return path(components_[id].node); }
  // Where it is now; of a model that is not part of the network, where it was built.
  std::string present_path(const Model& model) const {
    const NodeId node = node_of(model);
    return node == kNone ? model.path() : path(node);
  }
  std::string port_path(const Port& port) const {
    return present_path(port.owner()) + "." + port.name();
  }

  // kNone when the model is not part of the network.
  NodeId node_of(const Model& model) const;
  bool is_at(NodeId node, const Model& model) const { return nodes_[node].model == &model; }
  // Direct child by name; kNone.
  NodeId child(NodeId parent, const std::string& name);
  std::size_t child_count(NodeId parent) const;
  const std::vector<NodeId>& children(NodeId parent) const {
    return nodes_[parent].inside->children;
  }
  bool is_inside(NodeId node, NodeId ancestor) const;  // or is it

  NodeId add(NodeId parent, std::string name, std::unique_ptr<Model> model,
             std::vector<std::uint32_t>& created);
  void give_name(NodeId node, const std::string& name);
  // All components of the subtree, for example to look at them before remove().
  void components_below(NodeId node, std::vector<std::uint32_t>& components) const;
  // The model objects that the network owns stay until release_removed().
  void remove(NodeId node);
  void release_removed() {
    if (!keep_removed_) graveyard_.clear();
  }
  void move(NodeId node, NodeId to);
  void couple(NodeId where, const Port& from, const Port& to);
  void decouple(NodeId where, const Port& from, const Port& to);
  // Couplings of `from` lead to the ports of `to` with the same name and type; `from` has none
  // then. The first throws ApiError when there is no such port.
  void check_ports_for_couplings(NodeId from, const Model& taking) const;
  void hand_over_couplings(NodeId from, NodeId to);

  void update_routes();
  // Where a message into an input port of the root goes.
  void routes_from_outside(const Port& input, std::vector<Route>& routes) const;

 private:
  struct Link {  // seen from one end, which is a port of the node that holds it
    PortSide side;
    PortSide other_side;
    std::uint16_t port, other_port;
    NodeId other;
    friend bool operator==(const Link&, const Link&) = default;
  };
  struct Inside {
    std::vector<NodeId> children;
    std::unordered_map<std::string, NodeId> names;  // made when first asked for
    bool names_made = false;
  };
  struct Node {
    const Model* model = nullptr;
    std::unique_ptr<const Model> owned;
    NodeId parent = kNone;
    std::uint32_t place = 0;  // among the children of the parent
    std::uint32_t component = kNone;
    std::uint32_t order = 0;  // of creation, among all nodes
    int priority = 0;         // its own, or inherited where it was created
    std::vector<Link> links;  // to where its ports lead, sorted by (side, port)
    std::vector<Link> back;   // from where they are reached
    std::unique_ptr<Inside> inside;
  };

  NodeId new_node(const Model& model, NodeId parent);
  void build(const Model& model, NodeId node, int inherited_priority,
             std::vector<std::uint32_t>& created);
  void remove_node(NodeId node);
  void unlink_all(NodeId node);
  void remove_back_link(NodeId node, const Link& link);
  Inside& names_of(NodeId parent);
  void insert_link(NodeId from, Link link);
  std::uint16_t counterpart(NodeId from, PortSide side, std::uint16_t port,
                            const Model& taking) const;
  bool is_part_of_created(const Model& part) const;
  void attach(NodeId node, NodeId parent);
  void detach(NodeId node);
  void collect(NodeId node, PortSide side, std::uint16_t port, std::vector<Route>& routes) const;
  // From which a model sends itself: a coupled one by its executive.
  static PortSide sending_side(const Model& model);
  void mark_senders(NodeId node, PortSide side, std::uint16_t port);
  void sort_routes(std::vector<Route>& routes) const;

  struct Dirty {
    std::uint32_t component;
    std::uint16_t port;
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a null pointer in the comparison
    friend auto operator<=>(const Dirty&, const Dirty&) = default;
  };
  Router& router_;
  std::vector<Node> nodes_;
  std::vector<NodeId> free_nodes_;
  std::vector<ComponentInfo> components_;
  std::vector<std::uint32_t> free_components_;
  std::unordered_map<const Model*, NodeId> node_of_;  // looked up, never iterated
  std::vector<std::unique_ptr<const Model>> graveyard_;
  std::uint32_t created_ = 0, created_nodes_ = 0;
  bool building_ = false;
  bool changed_ = false;  // added to, or moved about
  bool ordered_by_number_ = true;
  bool keep_removed_ = false;  // a component lives outside a created model that owns its object
  std::vector<Dirty> dirty_;
  std::vector<Route> scratch_;
};

}  // namespace arges::devs
