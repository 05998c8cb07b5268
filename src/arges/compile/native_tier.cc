#include "arges/compile/native_tier.h"

#include <chrono>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "arges/base/plugin.h"
#include "arges/expr/scalar_ops.h"

namespace arges::vm {

namespace {

// Of the machine, per instruction; of loading the plugin; of fast code per instruction.
constexpr double kMachineSeconds = 2e-9, kLoadSeconds = 0.08, kFastSeconds = 4e-6;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

std::vector<NativeMath> native_math() {
  using Unary = double (*)(double);
  using Binary = double (*)(double, double);
  const auto unary = [](Code code, const char* name, Unary f) {
    return NativeMath{code, name, 1, reinterpret_cast<void*>(f)};
  };
  const auto binary = [](Code code, const char* name, Binary f) {
    return NativeMath{code, name, 2, reinterpret_cast<void*>(f)};
  };
  return {unary(Code::kSin, "sin", std::sin),
          unary(Code::kCos, "cos", std::cos),
          unary(Code::kTan, "tan", std::tan),
          unary(Code::kAsin, "asin", std::asin),
          unary(Code::kAcos, "acos", std::acos),
          unary(Code::kAtan, "atan", std::atan),
          unary(Code::kSinh, "sinh", std::sinh),
          unary(Code::kCosh, "cosh", std::cosh),
          unary(Code::kTanh, "tanh", std::tanh),
          unary(Code::kExp, "exp", std::exp),
          unary(Code::kLog, "log", std::log),
          unary(Code::kLog10, "log10", std::log10),
          binary(Code::kPow, "pow", scalar::pow),
          binary(Code::kAtan2, "atan2", std::atan2),
          binary(Code::kWholeMul, "whole_product", scalar::whole_product)};
}

std::string cache_folder() {
  if (std::getenv("ARGES_CACHE_DIR") != nullptr) return environment("ARGES_CACHE_DIR");
  const std::string xdg = environment("XDG_CACHE_HOME"), home = environment("HOME");
  if (xdg.starts_with('/')) return xdg + "/arges";
  return home.starts_with('/') ? home + "/.cache/arges" : "";
}

NativeTier::NativeTier(Tier tier, NativeInput input) : tier_(tier), input_(std::move(input)) {
  for (const NativeProgramInput& p : input_.programs) size_ += p.program->size();
  for (const FunctionCode& f : input_.tables->functions) size_ += f.program.size();
  if (tier_ == Tier::kJit && compile_now(NativeLevel::kFast)) start();
}

NativeTier::~NativeTier() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::uint64_t NativeTier::executed(std::uint64_t instructions) {
  const double pays = kLoadSeconds + kFastSeconds * static_cast<double>(size_);
  const auto threshold = static_cast<std::uint64_t>(pays / kMachineSeconds);
  if (tier_ == Tier::kAuto && instructions >= threshold) {
    start();
    return UINT64_MAX;
  }
  return tier_ == Tier::kAuto ? threshold : UINT64_MAX;
}

void NativeTier::start() {
  if (started_.exchange(true)) return;
  thread_ = std::thread([this] { work(); });
}

void NativeTier::work() {
  if (image() == nullptr && !compile(NativeLevel::kFast)) return;
  const auto wait =
      std::chrono::duration<double>(compiler_->estimate(input_, NativeLevel::kOptimised));
  {
    std::unique_lock lock(mutex_);
    if (wake_.wait_for(lock, wait, [&] { return stop_.load(); })) return;
  }
  compile(NativeLevel::kOptimised);
}

bool NativeTier::load() {
  if (compiler_) return true;
  const PluginSymbol found = load_plugin("arges_jit.so", "ARGES_JIT_PLUGIN", kNativePluginSymbol);
  const auto* plugin = static_cast<const NativePlugin*>(found.symbol);
  if (plugin == nullptr) {
    fail(found.problem);
    return false;
  }
  if (plugin->abi != kNativeAbi) {
    fail(fmt::format("'{}' belongs to another version of Arges", found.path));
    return false;
  }
  const std::string cache = cache_folder();
  compiler_.reset(plugin->make(cache.c_str()));
  return true;
}

bool NativeTier::compile(NativeLevel level) {
  const std::lock_guard one_at_a_time(compiling_);
  try {
    if (!load()) return false;
    std::unique_ptr<NativeImage> image = compiler_->compile(input_, level, stop_);
    if (!image) return false;
    const std::lock_guard lock(mutex_);
    images_.push_back(std::move(image));
    image_.store(images_.back().get(), std::memory_order_release);
    const NativeProgram& first = images_.back()->programs[0];
    if (first.parts.size() == 1 && input_.segments.rate_at < input_.segments.other_at &&
        !first.needs_work && !first.needs_host)
      direct_.store(first.parts[0], std::memory_order_release);
    return true;
  } catch (const std::exception& error) {
    fail(error.what());
    return false;
  }
}

bool NativeTier::compile_now(NativeLevel level) { return compile(level); }

void NativeTier::fail(const std::string& what) {
  const std::lock_guard lock(mutex_);
  problem_ = what;
}

std::string NativeTier::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

}  // namespace arges::vm
