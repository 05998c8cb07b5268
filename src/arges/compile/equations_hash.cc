#include "arges/compile/equations_hash.h"

#include <string_view>

#include "arges/base/hash.h"
#include "arges/compile/compiled_system.h"
#include "arges/compile/switching_system.h"

namespace arges {

namespace {

class CodeHash {
 public:
  void add(const ModelCode& code) {
    add(code.tables);
    add(code.tables.registers);
    for (const vm::Loop& loop : code.tables.loops) add(loop.residual);
    for (const vm::FunctionCode& f : code.tables.functions) {
      add(f);
      add(f.program);
    }
    for (const vm::Program* program :
         {&code.parameter_program, &code.start_program, &code.output_program,
          &code.condition_program, &code.update_program, &code.initial_program,
          &code.sample_program, &code.threshold_program, &code.constraint_program})
      add(*program);
  }
  std::uint64_t value() const { return hash_; }

 private:
  template <class T>
  void add(const std::vector<T>& values) {
    // Chained with what came before; instructions and numbers have no padding.
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()),
                                 values.size() * sizeof(T));
    hash_ = (hash_ ^ fnv1a(bytes)) * 0x9E3779B97F4A7C15u;
  }
  void add(const vm::Lists& lists) {
    for (const vm::Call& call : lists.calls) {
      add(std::vector<std::uint32_t>{call.function, call.results});
      add(call.arguments);
    }
    for (const vm::TextOperation& text : lists.texts) add(text.operands);
    for (const vm::ExternalCall& call : lists.externals)
      add(std::vector<char>(call.name.begin(), call.name.end()));
  }

  std::uint64_t hash_ = 1;
};

}  // namespace

std::uint64_t equations_hash(const HybridSystem& model) {
  CodeHash hash;
  if (const auto* text = dynamic_cast<const CompiledSystem*>(&model)) {
    hash.add(text->code());
  } else if (const auto* modes = dynamic_cast<const SwitchingSystem*>(&model)) {
    for (std::size_t i = 0; i < modes->mode_count(); ++i) hash.add(modes->mode(i).code());
  } else {
    return 0;
  }
  return hash.value();
}

}  // namespace arges
