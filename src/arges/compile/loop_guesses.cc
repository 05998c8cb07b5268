#include "arges/compile/loop_guesses.h"

namespace arges {

// One program for each: what one cannot compute must not keep the others from being tried.
std::vector<vm::Loop::Guess> compile_guesses(vm::CodeBase& base,
                                             const std::vector<Block::Assignment>& guesses,
                                             bool homotopy) {
  std::vector<vm::Loop::Guess> programs;
  for (const Block::Assignment& guess : guesses) {
    vm::ProgramBuilder b(base, vm::Region::kInner, homotopy);
    b.announce(guess.value);
    b.assign(guess.value, guess.var);
    programs.push_back({base.slot[static_cast<std::size_t>(guess.var.index)], b.finish()});
  }
  return programs;
}

}  // namespace arges
