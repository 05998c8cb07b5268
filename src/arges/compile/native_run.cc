// The register machine's side of native code.

#include <bit>
#include <utility>

#include "arges/base/error.h"
#include "arges/compile/native_tier.h"

namespace arges::vm {

namespace {
constexpr std::uint64_t kCallSize = 20;  // what starting a program costs, in instructions
}

void Workspace::run(const Program& program) {
  if (tier_ != nullptr) {
    image_ = tier_->image();
    if (image_ != nullptr && program.native >= 0) {
      const NativeProgram& native = image_->programs[static_cast<std::size_t>(program.native)];
      if (!native.parts.empty()) {
        const Segments& s = tier_->segments();
        double* r = registers_.data();
        run_native(native, {r[0], r + s.parameter_at, r + s.input_at, r + s.discrete_at,
                            r + s.state_at, r + s.rate_at});
        return;
      }
    }
    executed_ += program.size() + kCallSize;
    if (executed_ >= report_at_) report_at_ = tier_->executed(executed_);
  }
  execute(program.data(), registers_.data(), tables_);
}

void Workspace::run_native(const NativeProgram& program, const Inputs& at) {
  registers_[tables_.registers.size()] = std::bit_cast<double>(this);
  for (const NativePart part : program.parts) {
    if (part(at.time, at.p, at.x, at.rates, at.u, at.z, registers_.data()) != 0)
      std::rethrow_exception(std::exchange(error_, nullptr));
  }
}

// Exceptions do not pass through native code: they are noted, and thrown again on its other side.
template <class Body>
int Workspace::guarded(Body body) {
  try {
    body();
    return 0;
  } catch (...) {
    error_ = std::current_exception();
    return 1;
  }
}

int Workspace::host_solve(void* host, std::uint32_t loop) {
  auto& w = *static_cast<Workspace*>(host);
  return w.guarded([&] { w.solve(loop); });
}

int Workspace::host_call(void* host, std::int32_t owner, std::uint32_t call, double* registers) {
  auto& w = *static_cast<Workspace*>(host);
  return w.guarded([&] {
    const auto& calls =
        owner < 0 ? w.tables_.calls : w.tables_.functions[static_cast<std::size_t>(owner)].calls;
    w.call(calls[call], registers);
  });
}

int Workspace::host_bounds(void* host, double subscript, std::uint32_t size, std::uint32_t error) {
  auto& w = *static_cast<Workspace*>(host);
  return w.guarded([&] { w.fail_bounds(subscript, size, error); });
}

int Workspace::host_fail(void* host, std::uint32_t error) {
  auto& w = *static_cast<Workspace*>(host);
  return w.guarded([&] { throw EvaluationError(w.tables_.errors[error]); });
}

int Workspace::host_poll(void* host) {
  auto& w = *static_cast<Workspace*>(host);
  return w.guarded([&] { w.poll(); });
}

int Workspace::host_step(void* host, std::int32_t owner, std::uint32_t code, std::uint32_t dst,
                         std::uint32_t a, std::uint32_t b, double* registers) {
  auto& w = *static_cast<Workspace*>(host);
  return w.guarded([&] {
    const Instruction program[] = {{static_cast<Code>(code), dst, a, b}, {Code::kEnd, 0, 0, 0}};
    const Lists& lists = owner < 0 ? static_cast<const Lists&>(w.tables_)
                                   : w.tables_.functions[static_cast<std::size_t>(owner)];
    w.execute(program, registers, lists);
  });
}

const NativeHost& Workspace::native_host() {
  static constexpr NativeHost kHost{&host_solve, &host_call, &host_bounds,
                                    &host_fail,  &host_poll, &host_step};
  return kHost;
}

}  // namespace arges::vm
