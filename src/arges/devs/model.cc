#include "arges/devs/model.h"

#include <cxxabi.h>

#include <cstdlib>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/devs/coupled.h"
#include "arges/devs/router.h"

namespace arges::devs {

Model::Model() : info_(std::make_unique<Info>()) {}
Model::~Model() = default;

std::string Model::path() const {
  if (parent() == nullptr || parent()->parent() == nullptr) return name();
  return parent()->path() + "." + name();
}

int Model::priority() const {
  for (const Model* model = this; model != nullptr; model = model->parent()) {
    if (model->info_->has_priority) return model->info_->priority;
  }
  return 0;
}

std::uint16_t Model::declare_port(PortSide side, std::string name, const std::type_info& type) {
  check_name(name, "a port");
  for (const std::vector<PortInfo>& ports : info_->ports) {
    for (const PortInfo& port : ports) {
      if (port.name == name) {
        throw ApiError(fmt::format("the model has two ports named '{}': rename one", name));
      }
    }
  }
  std::vector<PortInfo>& ports = info_->ports[static_cast<std::size_t>(side)];
  if (ports.size() >= 0xffff) throw ApiError("a model can have 65535 ports of one side, not more");
  ports.push_back({std::move(name), &type});
  return static_cast<std::uint16_t>(ports.size() - 1);
}

void check_name(const std::string& name, const std::string& what) {
  bool good = !name.empty();
  for (const char c : name) {
    good = good && c != '.' && static_cast<unsigned char>(c) > ' ' && c != 127;
  }
  if (!good) {
    throw ApiError(fmt::format(
        "'{}' cannot be the name of {}: a name is not empty and has no dot or blank", name, what));
  }
}

std::string type_in_words(const std::type_info& type) {
  int status = 0;
  char* text = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string words = status == 0 ? text : type.name();
  std::free(text);
  return words;
}

Port::Port(PortOwner owner, std::string name, bool input, const std::type_info& type)
    : owner_(owner.model),
      side_(input ? (owner.executive ? PortSide::kExecutiveIn : PortSide::kIn)
                  : (owner.executive ? PortSide::kExecutiveOut : PortSide::kOut)) {
  index_ = owner.model->declare_port(side_, std::move(name), type);
}

const std::string& Port::name() const { return owner_->ports(side_)[index_].name; }
const std::type_info& Port::type() const { return *owner_->ports(side_)[index_].type; }
std::string Port::path() const { return owner_->path() + "." + name(); }
std::string Port::type_name() const { return type_in_words(type()); }

void Output::not_own_port(const Port& port) const {
  throw ApiError(
      fmt::format("{} sends through {}, which is not its own port", sender_->path(), port.path()));
}

void Bag::not_own_port(const Port& port) const {
  throw ApiError(
      fmt::format("{} looks at {}, which is not its own port", receiver_->path(), port.path()));
}

void PayloadStore::clear() noexcept {
  for (const Destroy& entry : to_destroy_) entry.destroy(entry.object);
  to_destroy_.clear();
  block_ = used_ = 0;
}

void* PayloadStore::allocate(std::size_t size, std::size_t alignment) {
  constexpr std::size_t kBlock = 1 << 14;
  for (;;) {
    if (block_ == blocks_.size()) {
      blocks_.push_back(
          {std::vector<std::byte>(size + alignment > kBlock ? size + alignment : kBlock)});
    }
    std::vector<std::byte>& bytes = blocks_[block_].bytes;
    const auto base = reinterpret_cast<std::uintptr_t>(bytes.data());
    const std::size_t begin = (base + used_ + alignment - 1) / alignment * alignment - base;
    if (begin + size <= bytes.size()) {
      used_ = begin + size;
      return bytes.data() + begin;
    }
    ++block_;
    used_ = 0;
  }
}

}  // namespace arges::devs
