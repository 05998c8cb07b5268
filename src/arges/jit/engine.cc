// Programs to code in memory, through LLVM's ORC: the plugin.

#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SHA256.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <stdexcept>

#include "arges/jit/emit.h"
#include "arges/jit/object_cache.h"

namespace arges::jit {

namespace {

using vm::NativeImage;
using vm::NativeInput;
using vm::NativeLevel;

// Instructions of the machine in one function and in one module, about; seconds for each. A
// function is some 100 equations; a module is what a run that ends must wait for.
constexpr std::uint32_t kPartSize = 800;
constexpr std::uint64_t kModuleSize = 1600;
constexpr double kOptimisedSeconds = 3e-5, kFastSeconds = 3e-6;
// With so few instructions in all, optimised code costs no more time than loading LLVM.
constexpr std::uint64_t kSmall = 800;

template <class T>
T checked(llvm::Expected<T> value) {
  if (!value) throw std::runtime_error(llvm::toString(value.takeError()));
  return std::move(*value);
}
void checked(llvm::Error error) {
  if (error) throw std::runtime_error(llvm::toString(std::move(error)));
}

// Code and the session that owns its memory.
class Image : public NativeImage {
 public:
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

// A function to compile, and where its address goes.
struct Unit {
  std::string content;
  std::uint64_t size = 0;
  std::int32_t program = -1;  // part `number` of this program, or user function `number`
  std::size_t number = 0;
};

class Engine : public vm::NativeCompiler {
 public:
  explicit Engine(const std::string& cache)
      : cache_(cache.empty() ? "" : cache + "/jit"),
        builder_(checked(llvm::orc::JITTargetMachineBuilder::detectHost())) {
    builder_.getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
    builder_.setRelocationModel(llvm::Reloc::PIC_);
    machine_id_ = std::string(LLVM_VERSION_STRING) + "\n" + builder_.getTargetTriple().str() +
                  "\n" + builder_.getCPU() + "\n" + builder_.getFeatures().getString();
  }

  std::unique_ptr<NativeImage> compile(const NativeInput& input, NativeLevel level,
                                       const std::atomic<bool>& stop) override {
    std::vector<vm::NativeProgram> programs(input.programs.size());
    std::vector<Plan> plans(input.programs.size());
    std::vector<Unit> units = plan(input, plans, programs);
    if (emitted_ <= kSmall) level = NativeLevel::kOptimised;

    auto image = std::make_unique<Image>();
    image->programs = std::move(programs);
    image->functions.assign(input.tables->functions.size(), nullptr);
    image->jit = make_session(input);
    std::vector<std::string> names(units.size());
    bool wrote = false;
    for (std::size_t first = 0; first < units.size();) {
      if (stop) return nullptr;
      std::size_t last = first;
      std::uint64_t size = 0;
      while (last < units.size() && (last == first || size + units[last].size <= kModuleSize))
        size += units[last++].size;
      const std::span<const Unit> group(units.data() + first, last - first);
      const std::string key = key_of(group, level);
      for (std::size_t k = first; k < last; ++k)
        names[k] = "arges_" + key + "_" + std::to_string(k - first);
      std::optional<std::string> object = cache_.find(key);
      ++image->modules;
      if (object) {
        ++image->from_cache;
      } else {
        object = make_object(input, plans, group, names.data() + first, level);
        cache_.put(key, *object);
        wrote = true;
      }
      image->bytes += object->size();
      checked(image->jit->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(*object, key)));
      first = last;
    }
    for (std::size_t k = 0; k < units.size(); ++k) {
      const auto address = checked(image->jit->lookup(names[k]));
      const Unit& unit = units[k];
      if (unit.program < 0) {
        image->functions[unit.number] = address.toPtr<vm::NativeFunction>();
      } else {
        image->programs[static_cast<std::size_t>(unit.program)].parts.push_back(
            address.toPtr<vm::NativePart>());
      }
    }
    if (wrote) cache_.prune();
    return image;
  }

  double estimate(const NativeInput&, NativeLevel level) override {
    return 0.02 + static_cast<double>(emitted_) *
                      (level == NativeLevel::kFast ? kFastSeconds : kOptimisedSeconds);
  }

 private:
  std::vector<Unit> plan(const NativeInput& input, std::vector<Plan>& plans,
                         std::vector<vm::NativeProgram>& programs) {
    std::vector<Unit> units;
    emitted_ = 0;
    for (std::size_t f = 0; f < input.tables->functions.size(); ++f) {
      const vm::Program& code = input.tables->functions[f].program;
      if (!all_known(code)) continue;
      units.push_back({std::string(reinterpret_cast<const char*>(code.data()),
                                   code.size() * sizeof(vm::Instruction)) +
                           std::to_string(f),
                       code.size(), -1, f});
    }
    for (std::size_t k = 0; k < input.programs.size(); ++k) {
      const vm::Program& code = *input.programs[k].program;
      if (!all_known(code)) continue;
      plans[k] = make_plan(input, input.programs[k], kPartSize);
      needs(input, code, plans[k], programs[k]);
      for (std::size_t p = 0; p < plans[k].parts.size(); ++p) {
        const Part& part = plans[k].parts[p];
        Unit unit{content_of(input, code, plans[k], part), 0, static_cast<std::int32_t>(k), p};
        unit.size = unit.content.size() / 24 + 1;
        units.push_back(std::move(unit));
      }
    }
    for (const Unit& unit : units) emitted_ += unit.size;
    return units;
  }

  static bool all_known(const vm::Program& code) {
    return std::all_of(code.begin(), code.end(),
                       [](const vm::Instruction& i) { return is_known(i.code); });
  }

  // What the parts of a program use, without emitting them: cached code must say the same.
  static void needs(const NativeInput& input, const vm::Program& code, const Plan& plan,
                    vm::NativeProgram& program) {
    for (const Part& part : plan.parts) {
      const PartNeeds n = needs_of(input, code, plan, part);
      program.needs_work = program.needs_work || n.work;
      program.needs_host = program.needs_host || n.host;
    }
  }

  std::string key_of(std::span<const Unit> group, NativeLevel level) const {
    llvm::SHA256 hash;
    hash.update(machine_id_);
    hash.update(std::to_string(vm::kNativeAbi) + (level == NativeLevel::kFast ? "f" : "o"));
    for (const Unit& unit : group) {
      hash.update(std::to_string(unit.content.size()) + (unit.program < 0 ? "f" : "p"));
      hash.update(unit.content);
    }
    std::string hex;
    for (const std::uint8_t byte : hash.final()) {
      hex += "0123456789abcdef"[byte >> 4];
      hex += "0123456789abcdef"[byte & 15];
    }
    return hex;
  }

  std::string make_object(const NativeInput& input, const std::vector<Plan>& plans,
                          std::span<const Unit> group, const std::string* names,
                          NativeLevel level) {
    llvm::LLVMContext context;
    llvm::Module module("arges", context);
    builder_.setCodeGenOptLevel(level == NativeLevel::kFast ? llvm::CodeGenOptLevel::None
                                                            : llvm::CodeGenOptLevel::Default);
    const std::unique_ptr<llvm::TargetMachine> machine = checked(builder_.createTargetMachine());
    module.setTargetTriple(machine->getTargetTriple().str());
    module.setDataLayout(machine->createDataLayout());
    bool loops = false;
    for (std::size_t k = 0; k < group.size(); ++k) {
      const Unit& unit = group[k];
      if (unit.program < 0) {
        emit_function(module, names[k], input, static_cast<std::uint32_t>(unit.number));
        loops = true;
        continue;
      }
      const auto p = static_cast<std::size_t>(unit.program);
      loops |= emit_part(module, names[k], input, *input.programs[p].program, plans[p],
                         plans[p].parts[unit.number]);
    }
    if (level == NativeLevel::kOptimised) optimise(module, *machine, loops);
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream stream(bytes);
    llvm::legacy::PassManager passes;
    if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
      throw std::runtime_error("LLVM cannot emit code for this machine");
    passes.run(module);
    return {bytes.data(), bytes.size()};
  }

  // Loops are worth the vectorisers.
  static void optimise(llvm::Module& module, llvm::TargetMachine& machine, bool loops) {
    llvm::LoopAnalysisManager lam;
    llvm::FunctionAnalysisManager fam;
    llvm::CGSCCAnalysisManager cgam;
    llvm::ModuleAnalysisManager mam;
    llvm::PassBuilder builder(&machine);
    builder.registerModuleAnalyses(mam);
    builder.registerCGSCCAnalyses(cgam);
    builder.registerFunctionAnalyses(fam);
    builder.registerLoopAnalyses(lam);
    builder.crossRegisterProxies(lam, fam, cgam, mam);
    builder
        .buildPerModuleDefaultPipeline(loops ? llvm::OptimizationLevel::O2
                                             : llvm::OptimizationLevel::O1)
        .run(module, mam);
  }

  std::unique_ptr<llvm::orc::LLJIT> make_session(const NativeInput& input) {
    auto jit = checked(llvm::orc::LLJITBuilder()
                           .setJITTargetMachineBuilder(builder_)
                           .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                           .setLinkProcessSymbolsByDefault(false)
                           .create());
    llvm::orc::SymbolMap symbols;
    const auto define = [&](const std::string& name, void* address) {
      symbols[jit->mangleAndIntern(name)] = {
          llvm::orc::ExecutorAddr::fromPtr(address),
          llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
    };
    for (const vm::NativeMath& f : input.math) define(std::string("arges_") + f.name, f.address);
    define("arges_host_solve", reinterpret_cast<void*>(input.host.solve));
    define("arges_host_call", reinterpret_cast<void*>(input.host.call));
    define("arges_host_bounds", reinterpret_cast<void*>(input.host.bounds));
    define("arges_host_fail", reinterpret_cast<void*>(input.host.fail));
    define("arges_host_poll", reinterpret_cast<void*>(input.host.poll));
    define("arges_host_step", reinterpret_cast<void*>(input.host.step));
    // What LLVM makes of loops that copy or clear.
    define("memcpy", reinterpret_cast<void*>(&std::memcpy));
    define("memmove", reinterpret_cast<void*>(&std::memmove));
    define("memset", reinterpret_cast<void*>(&std::memset));
    checked(jit->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))));
    return jit;
  }

  ObjectCache cache_;
  llvm::orc::JITTargetMachineBuilder builder_;
  std::string machine_id_;
  std::uint64_t emitted_ = 0;
};

vm::NativeCompiler* make_engine(const char* cache) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  return new Engine(cache);
}

}  // namespace

}  // namespace arges::jit

extern "C" __attribute__((visibility("default")))
const arges::vm::NativePlugin arges_native_plugin{arges::vm::kNativeAbi, &arges::jit::make_engine};
