#include "arges/external/shared_library.h"

#include <array>
#include <cstring>
#include <deque>

#include <dlfcn.h>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges::external {

namespace {

#if defined(__aarch64__)
constexpr std::size_t kIntegers = 8;
#else
constexpr std::size_t kIntegers = 6;
#endif
constexpr std::size_t kReals = 8;

struct PointerObject final : Object {
  explicit PointerObject(void* p) : pointer(p) {}
  void* pointer;
};

// Memory for one argument while the function runs.
struct Converted {
  std::vector<int> integers;
  std::vector<const char*> strings;
  std::deque<std::string> texts;
  void* pointer = nullptr;
};

template <class Result>
Result invoke(void* address, const std::array<std::intptr_t, 8>& i,
              const std::array<double, 8>& d) {
#if defined(__aarch64__)
  using Any = Result (*)(std::intptr_t, std::intptr_t, std::intptr_t, std::intptr_t, std::intptr_t,
                         std::intptr_t, std::intptr_t, std::intptr_t, double, double, double,
                         double, double, double, double, double);
  return reinterpret_cast<Any>(address)(i[0], i[1], i[2], i[3], i[4], i[5], i[6], i[7], d[0], d[1],
                                        d[2], d[3], d[4], d[5], d[6], d[7]);
#else
  using Any =
      Result (*)(std::intptr_t, std::intptr_t, std::intptr_t, std::intptr_t, std::intptr_t,
                 std::intptr_t, double, double, double, double, double, double, double, double);
  return reinterpret_cast<Any>(address)(i[0], i[1], i[2], i[3], i[4], i[5], d[0], d[1], d[2], d[3],
                                        d[4], d[5], d[6], d[7]);
#endif
}

}  // namespace

SharedLibraries::SharedLibraries(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      const char* why = dlerror();
      throw UserError(fmt::format("the library '{}' cannot be loaded: {}", path,
                                  why == nullptr ? "unknown error" : why));
    }
    handles_.push_back(handle);
  }
}

SharedLibraries::~SharedLibraries() {
  for (void* handle : handles_) dlclose(handle);
}

void* SharedLibraries::find(const std::string& name) const {
  for (void* handle : handles_) {
    if (void* address = dlsym(handle, name.c_str())) return address;
  }
  return nullptr;
}

void call_library(void* address, const Call& call, ReturnType type) {
  std::array<std::intptr_t, 8> integers{};
  std::array<double, 8> reals{};
  std::size_t integer_count = 0, real_count = 0;
  std::deque<Converted> memory;
  const auto too_many = [&]() -> EvaluationError {
    return EvaluationError(
        fmt::format("'{}' has too many arguments: {} Integers, Strings and arrays and {} Reals at "
                    "most",
                    call.name(), kIntegers, kReals),
        false);
  };
  const auto push = [&](std::intptr_t value) {
    if (integer_count == kIntegers) throw too_many();
    integers[integer_count++] = value;
  };
  for (std::size_t k = 0; k < call.size(); ++k) {
    const Argument& a = call[k];
    Converted& m = memory.emplace_back();
    const bool by_address = !a.dims.empty() || a.is_output;
    const int n = call.count(k);
    switch (a.type) {
      case ArgumentType::kReal:
        if (by_address) {
          push(reinterpret_cast<std::intptr_t>(a.values));
        } else {
          if (real_count == kReals) throw too_many();
          reals[real_count++] = *a.values;
        }
        break;
      case ArgumentType::kInteger:
      case ArgumentType::kBoolean:
        for (int i = 0; i < n; ++i) m.integers.push_back(static_cast<int>(a.values[i]));
        push(by_address ? reinterpret_cast<std::intptr_t>(m.integers.data()) : m.integers[0]);
        break;
      case ArgumentType::kString:
        for (int i = 0; i < n; ++i)
          m.strings.push_back(m.texts.emplace_back(call.environment().text(a.values[i])).c_str());
        push(reinterpret_cast<std::intptr_t>(by_address ? static_cast<void*>(m.strings.data())
                                                        : const_cast<char*>(m.strings[0])));
        break;
      case ArgumentType::kObject:
        if (*a.values != 0) m.pointer = call.object<PointerObject>(k).pointer;
        push(by_address ? reinterpret_cast<std::intptr_t>(&m.pointer)
                        : reinterpret_cast<std::intptr_t>(m.pointer));
        break;
    }
  }
  const auto object = [&](void* p) {
    return call.environment().add(std::make_unique<PointerObject>(p));
  };
  switch (type) {
    case ReturnType::kNothing:
      invoke<void>(address, integers, reals);
      break;
    case ReturnType::kReal:
      call.result(invoke<double>(address, integers, reals));
      break;
    case ReturnType::kInteger:
      call.result(invoke<int>(address, integers, reals));
      break;
    case ReturnType::kString: {
      const char* text = invoke<const char*>(address, integers, reals);
      call.result_text(text == nullptr ? "" : text);
      break;
    }
    case ReturnType::kObject:
      call.result(object(invoke<void*>(address, integers, reals)));
      break;
  }
  for (std::size_t k = 0; k < call.size(); ++k) {
    const Argument& a = call[k];
    if (!a.is_output) continue;
    for (std::size_t i = 0; i < memory[k].integers.size(); ++i) a.values[i] = memory[k].integers[i];
    for (std::size_t i = 0; i < memory[k].strings.size(); ++i)
      a.values[i] = call.environment().intern(memory[k].strings[i]);
    if (a.type == ArgumentType::kObject) *a.values = object(memory[k].pointer);
  }
}

}  // namespace arges::external
