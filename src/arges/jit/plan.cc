#include "arges/jit/plan.h"

#include <algorithm>

#include "arges/jit/loops.h"

namespace arges::jit {

using vm::Code;

bool is_step(Code code) {
  return code == Code::kFailText || code == Code::kText || code == Code::kExternal ||
         code == Code::kFrame || code == Code::kReserve;
}

bool is_known(Code code) {
  if (code <= Code::kRem) return true;
  switch (code) {
    case Code::kMoveIf:
    case Code::kConst:
    case Code::kJump:
    case Code::kJumpIfNot:
    case Code::kLoad:
    case Code::kStore:
    case Code::kBounds:
    case Code::kBoundsOf:
    case Code::kLoadAt:
    case Code::kStoreAt:
    case Code::kCall:
    case Code::kSolve:
    case Code::kFail:
    case Code::kEnd:
      return true;
    default:
      return is_step(code);
  }
}

Operands operands_of(Code code) {
  if (code <= Code::kCeil) return {true, false, false, true, true};
  if (code <= Code::kRem) return {true, true, false, true, true};
  switch (code) {
    case Code::kMoveIf:
      return {true, true, true, true, true};
    case Code::kConst:
      return {false, false, false, true, true};
    case Code::kJumpIfNot:
      return {true, false, false, false, false};
    case Code::kLoad:
      return {false, true, false, true, false};
    case Code::kStore:
      return {true, true, false, false, false};
    case Code::kBounds:
    case Code::kFail:
      return {false, false, true, false, false};
    default:
      return {};
  }
}

std::uint32_t operand(const vm::Instruction& i, Operand which) {
  return which == Operand::kDst ? i.dst : which == Operand::kA ? i.a : i.b;
}

Reference reference(const vm::Program& program, std::uint32_t i, Operand which,
                    const std::vector<LoopLevel>& around) {
  Reference r;
  r.base = operand(program[i], which);
  for (std::size_t k = 0; k < around.size(); ++k)
    r.stride[k] = std::int64_t{operand(program[i + around[k].length], which)} - r.base;
  return r;
}

Range range_of(const Reference& r, const std::vector<LoopLevel>& around) {
  Range range{r.base, r.base};
  for (std::size_t k = 0; k < around.size(); ++k) {
    const std::int64_t span = r.stride[k] * (std::int64_t{around[k].count} - 1);
    (span < 0 ? range.first : range.last) += span;
  }
  return range;
}

Segment segment_of(const vm::Segments& s, std::int64_t reg) {
  if (reg == 0) return Segment::kTime;
  if (reg < s.input_at) return Segment::kParameters;
  if (reg < s.discrete_at) return Segment::kInputs;
  if (reg < s.state_at) return Segment::kDiscretes;
  if (reg < s.rate_at) return Segment::kStates;
  if (reg < s.other_at) return Segment::kRates;
  return Segment::kWork;
}

namespace {

// Calls use(i, operand) for reads that need memory. `around` as in reference().
template <class Use>
void reads_of_leaf(const vm::Program& code, const Piece& leaf, const std::vector<LoopLevel>& around,
                   Use use) {
  Forwarding<char> known(around);
  for (std::uint32_t i = leaf.begin; i < leaf.begin + leaf.length; ++i) {
    const Operands o = operands_of(code[i].code);
    const auto read = [&](bool does, Operand which) {
      if (!does) return;
      const Reference r = reference(code, i, which, around);
      if (known.find(r) != nullptr) return;
      use(i, which);
      known.loaded(r, 1);
    };
    read(o.reads_a, Operand::kA);
    read(o.reads_b, Operand::kB);
    read(o.reads_dst, Operand::kDst);
    if (o.writes_dst) known.written(reference(code, i, Operand::kDst, around), 1);
  }
}

// Visits the leaves of a piece with the loops around them.
template <class Visit>
void for_leaves(const Piece& piece, std::vector<LoopLevel>& around, Visit visit) {
  if (piece.kind == Piece::Kind::kLeaf) return visit(piece, around);
  around.push_back({piece.length, piece.count});
  for (const Piece& p : piece.body) for_leaves(p, around, visit);
  around.pop_back();
}

class Planner {
 public:
  Planner(const vm::NativeInput& input, const vm::NativeProgramInput& program,
          std::uint32_t part_size)
      : input_(input), code_(*program.program), part_size_(part_size) {
    live_.assign(input.tables->registers.size(), 0);
    if (program.all_variables) std::fill_n(live_.begin(), input.segments.variable_end, char{1});
    for (const std::uint32_t r : program.live_out) live_[r] = 1;
    plan_.stored.assign(code_.size(), 0);
  }

  Plan run() {
    cut();
    for (std::size_t k = pieces_.size(); k-- > 0;) mark(pieces_[k]);
    Part part;
    std::uint64_t size = 0;
    for (Piece& piece : pieces_) {
      const std::uint64_t more = emitted_size(piece);
      plan_.emitted += more;
      if (!part.pieces.empty() && size + more > part_size_) {
        plan_.parts.push_back(std::move(part));
        part = {};
        size = 0;
      }
      size += more;
      part.pieces.push_back(std::move(piece));
    }
    if (!part.pieces.empty()) plan_.parts.push_back(std::move(part));
    return std::move(plan_);
  }

 private:
  static std::uint64_t emitted_size(const Piece& piece) {
    if (piece.body.empty()) return piece.length;
    std::uint64_t sum = 0;
    for (const Piece& p : piece.body) sum += emitted_size(p);
    return sum;
  }

  void cut() {
    const std::uint32_t n = static_cast<std::uint32_t>(code_.size());
    std::uint32_t i = 0;
    while (i < n && code_[i].code != Code::kEnd) {
      if (operands_of(code_[i].code).simple) {
        std::uint32_t end = i;
        while (operands_of(code_[end].code).simple) ++end;
        for (Piece& p : find_loops(input_.segments, code_, i, end, part_size_))
          pieces_.push_back(std::move(p));
        i = end;
        continue;
      }
      // A jump takes everything up to its target with it.
      std::uint32_t end = i + 1;
      for (std::uint32_t k = i; k < end; ++k) {
        if (code_[k].code == Code::kJump || code_[k].code == Code::kJumpIfNot)
          end = std::max(end, code_[k].dst);
      }
      pieces_.push_back({Piece::Kind::kControl, i, end - i, 1, {}});
      i = end;
    }
  }

  void mark(const Piece& piece) {
    switch (piece.kind) {
      case Piece::Kind::kLeaf:
        return mark_leaf(piece);
      case Piece::Kind::kLoop:
        return mark_loop(piece);
      case Piece::Kind::kControl:
        return mark_control(piece);
    }
  }

  void mark_leaf(const Piece& leaf) {
    for (std::uint32_t i = leaf.begin + leaf.length; i-- > leaf.begin;) {
      plan_.stored[i] = live_[code_[i].dst];
      live_[code_[i].dst] = 0;
    }
    reads_of_leaf(code_, leaf, {},
                  [&](std::uint32_t i, Operand which) { live_[operand(code_[i], which)] = 1; });
  }

  // Calls use(register) for all iterations of an operand.
  template <class Use>
  void expand(std::uint32_t i, Operand which, const std::vector<LoopLevel>& around, Use use) const {
    const Reference r = reference(code_, i, which, around);
    const std::uint32_t n0 = around[0].count, n1 = around.size() > 1 ? around[1].count : 1;
    for (std::int64_t k0 = 0; k0 < n0; ++k0) {
      for (std::int64_t k1 = 0; k1 < n1; ++k1)
        use(static_cast<std::size_t>(r.base + k0 * r.stride[0] + k1 * r.stride[1]));
    }
  }

  void mark_loop(const Piece& loop) {
    std::vector<LoopLevel> around;
    std::vector<std::size_t> read, written;
    for_leaves(loop, around, [&](const Piece& leaf, const std::vector<LoopLevel>& levels) {
      reads_of_leaf(code_, leaf, levels, [&](std::uint32_t i, Operand which) {
        expand(i, which, levels, [&](std::size_t r) { read.push_back(r); });
      });
    });
    for (const std::size_t r : read) live_[r] |= 2;
    for_leaves(loop, around, [&](const Piece& leaf, const std::vector<LoopLevel>& levels) {
      for (std::uint32_t i = leaf.begin; i < leaf.begin + leaf.length; ++i) {
        expand(i, Operand::kDst, levels, [&](std::size_t r) {
          if (live_[r] != 0) plan_.stored[i] = 1;
          written.push_back(r);
        });
      }
    });
    for (const std::size_t r : written) live_[r] &= 2;
    for (const std::size_t r : read) live_[r] = 1;
  }

  void mark_control(const Piece& piece) {
    for (std::uint32_t i = piece.begin; i < piece.begin + piece.length; ++i) {
      plan_.stored[i] = 1;
      reads_of_control(code_[i], input_.tables->calls);
    }
  }

  void reads_of_control(const vm::Instruction& i, const std::vector<vm::Call>& calls) {
    const Operands o = operands_of(i.code);
    if (o.reads_a) live_[i.a] = 1;
    if (o.reads_b) live_[i.b] = 1;
    if (o.reads_dst) live_[i.dst] = 1;
    if (i.code == Code::kLoad || is_step(i.code)) std::fill(live_.begin(), live_.end(), char{1});
    if (i.code == Code::kCall) {
      for (const std::uint32_t r : calls[i.a].arguments) live_[r] = 1;
    }
    if (i.code == Code::kSolve) {
      const vm::Loop& loop = input_.tables->loops[i.a];
      for (const std::uint32_t r : loop.unknowns) live_[r] = 1;
      for (const vm::Program* p : {&loop.residual, &loop.jacobian}) {
        for (const vm::Instruction& k : *p) reads_of_control(k, calls);
      }
    }
  }

  const vm::NativeInput& input_;
  const vm::Program& code_;
  const std::uint32_t part_size_;
  std::vector<char> live_;  // 1: memory is read later; 2: read in the loop at hand
  std::vector<Piece> pieces_;
  Plan plan_;
};

class Content {
 public:
  Content(const vm::NativeInput& input, const vm::Program& program, const Plan& plan)
      : input_(input), code_(program), plan_(plan) {}

  std::string run(const Part& part) {
    add(input_.segments);
    add(input_.tables->registers.size());
    for (const Piece& piece : part.pieces) add_piece(piece);
    return std::move(bytes_);
  }

 private:
  template <class T>
  void add(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void add_constant(std::uint32_t r) {
    if (r >= input_.segments.constant_at && r < input_.segments.constant_end)
      add(input_.tables->registers[r]);
  }
  void add_piece(const Piece& piece) {
    add(piece.kind);
    add(piece.length);
    add(piece.count);
    if (piece.kind == Piece::Kind::kLoop) {
      around_.push_back({piece.length, piece.count});
      for (const Piece& p : piece.body) add_piece(p);
      around_.pop_back();
      add('e');
      return;
    }
    for (std::uint32_t i = piece.begin; i < piece.begin + piece.length; ++i) {
      add(code_[i]);
      add(plan_.stored[i]);
      const Operands o = operands_of(code_[i].code);
      if (o.reads_a) add_constant(code_[i].a);
      if (o.reads_b) add_constant(code_[i].b);
      if (around_.empty()) continue;
      for (const Operand which : {Operand::kDst, Operand::kA, Operand::kB})
        add(reference(code_, i, which, around_));
    }
    if (piece.kind == Piece::Kind::kControl) add(piece.begin);  // jumps say where to
  }

  const vm::NativeInput& input_;
  const vm::Program& code_;
  const Plan& plan_;
  std::vector<LoopLevel> around_;
  std::string bytes_;
};

}  // namespace

PartNeeds needs_of(const vm::NativeInput& input, const vm::Program& program, const Plan& plan,
                   const Part& part) {
  PartNeeds needs;
  const vm::Segments& s = input.segments;
  std::vector<LoopLevel> around;
  for (const Piece& piece : part.pieces) {
    if (piece.kind == Piece::Kind::kControl) {
      needs = {true, true};
      continue;
    }
    for_leaves(piece, around, [&](const Piece& leaf, const std::vector<LoopLevel>& levels) {
      const auto use = [&](std::uint32_t i, Operand which) {
        const Reference r = reference(program, i, which, levels);
        const bool moves = r.stride[0] != 0 || r.stride[1] != 0;
        const bool constant = !moves && r.base >= s.constant_at && r.base < s.constant_end;
        if (segment_of(s, r.base) == Segment::kWork && !constant) needs.work = true;
      };
      reads_of_leaf(program, leaf, levels, use);
      for (std::uint32_t i = leaf.begin; i < leaf.begin + leaf.length; ++i) {
        if (plan.stored[i]) use(i, Operand::kDst);
      }
    });
  }
  return needs;
}

std::string content_of(const vm::NativeInput& input, const vm::Program& program, const Plan& plan,
                       const Part& part) {
  return Content(input, program, plan).run(part);
}

Plan make_plan(const vm::NativeInput& input, const vm::NativeProgramInput& program,
               std::uint32_t part_size) {
  return Planner(input, program, part_size).run();
}

}  // namespace arges::jit
