#include "arges/jit/loops.h"

#include <algorithm>

namespace arges::jit {

namespace {

using vm::Code;
using vm::Instruction;

constexpr std::uint32_t kLargestPeriod = 160;  // instructions of a body
constexpr std::uint32_t kLargestPieces = 24;   // pieces of a body
constexpr std::uint32_t kFewest = 8;           // iterations
constexpr std::uint32_t kFewestInstructions = 32;
constexpr std::uint32_t kClear = 16;  // iterations after which longer periods are not tried

class LoopFinder {
 public:
  LoopFinder(const vm::Segments& segments, const vm::Program& code, std::uint32_t leaf_size)
      : segments_(segments), code_(code), leaf_size_(leaf_size) {}

  std::vector<Piece> run(std::uint32_t begin, std::uint32_t end) {
    std::vector<Piece> pieces;
    std::uint32_t leaf = begin;
    const auto flush = [&](std::uint32_t to) {
      for (; leaf < to; leaf += std::min(leaf_size_, to - leaf))
        pieces.push_back({Piece::Kind::kLeaf, leaf, std::min(leaf_size_, to - leaf), 1, {}});
    };
    for (std::uint32_t i = begin; i < end;) {
      std::uint32_t best_period = 0, best_count = 0;
      for (std::uint32_t p = 1; p <= kLargestPeriod && i + 2 * p <= end; ++p) {
        const std::uint32_t count = iterations(i, p, end);
        if (count < kFewest || p * count < kFewestInstructions) continue;
        if (p * count > best_period * best_count) {
          best_period = p;
          best_count = count;
        }
        if (count >= kClear) break;
      }
      if (best_period == 0) {
        ++i;
        continue;
      }
      flush(i);
      Piece loop{Piece::Kind::kLoop, i, best_period, best_count, {}};
      loop.body.push_back({Piece::Kind::kLeaf, i, best_period, 1, {}});
      i = leaf = loop.end();
      pieces.push_back(std::move(loop));
    }
    flush(end);
    return outer(std::move(pieces));
  }

 private:
  // How often [i, i + p) is repeated, with constant strides.
  std::uint32_t iterations(std::uint32_t i, std::uint32_t p, std::uint32_t end) const {
    for (std::uint32_t t = 0; t < p; ++t) {
      if (code_[i + t].code != code_[i + p + t].code || !same_data(i + t, p)) return 1;
    }
    std::uint32_t count = 2;
    for (; i + (count + 1) * p <= end; ++count) {
      bool fits = true;
      for (std::uint32_t t = 0; t < p && fits; ++t)
        fits = follows(i + t, i + (count - 1) * p + t, p);
      if (!fits) break;
    }
    return within_segments(i, p, count);
  }

  bool same_data(std::uint32_t i, std::uint32_t p) const {
    return code_[i].code != Code::kConst ||
           (code_[i].a == code_[i + p].a && code_[i].b == code_[i + p].b);
  }
  // The step from instruction k to k + p is that from `first` to first + p.
  bool follows(std::uint32_t first, std::uint32_t k, std::uint32_t p) const {
    const Instruction &a = code_[first], &b = code_[first + p], &c = code_[k], &d = code_[k + p];
    return c.code == d.code && b.dst - a.dst == d.dst - c.dst && b.a - a.a == d.a - c.a &&
           b.b - a.b == d.b - c.b;
  }

  // A moving operand must stay in its segment; the count for which all do.
  std::uint32_t within_segments(std::uint32_t i, std::uint32_t p, std::uint32_t count) const {
    if (count < 2) return count;  // there may be no code behind a single turn
    for (std::uint32_t t = 0; t < p; ++t) {
      count = operand_count(i + t, p, Operand::kDst, count);
      if (code_[i + t].code == Code::kConst) continue;
      count = operand_count(i + t, p, Operand::kA, count);
      count = operand_count(i + t, p, Operand::kB, count);
    }
    return count;
  }
  std::uint32_t operand_count(std::uint32_t i, std::uint32_t p, Operand o,
                              std::uint32_t count) const {
    const std::int64_t base = operand(code_[i], o);
    const std::int64_t stride = std::int64_t{operand(code_[i + p], o)} - base;
    if (stride == 0) return count;
    while (count > 1 && !same_segment(base, base + stride * (std::int64_t{count} - 1))) --count;
    return count;
  }
  // Constants are known values unless an operand runs over them.
  bool same_segment(std::int64_t a, std::int64_t b) const {
    const auto constant = [&](std::int64_t r) {
      return r >= segments_.constant_at && r < segments_.constant_end;
    };
    return segment_of(segments_, a) == segment_of(segments_, b) && constant(a) == constant(b);
  }

  // The same but for where the operands begin: inner strides are equal.
  bool same_shape(const Piece& a, const Piece& b) const {
    if (a.kind != b.kind || a.length != b.length || a.count != b.count) return false;
    for (std::uint32_t t = 0; t < a.length && a.kind == Piece::Kind::kLoop; ++t) {
      const Instruction &a0 = code_[a.begin + t], &a1 = code_[a.begin + a.length + t];
      const Instruction &b0 = code_[b.begin + t], &b1 = code_[b.begin + b.length + t];
      if (a1.dst - a0.dst != b1.dst - b0.dst || a1.a - a0.a != b1.a - b0.a ||
          a1.b - a0.b != b1.b - b0.b)
        return false;
    }
    return true;
  }

  // Repetition in the sequence of pieces.
  std::vector<Piece> outer(std::vector<Piece> pieces) const {
    std::vector<Piece> result;
    const std::size_t n = pieces.size();
    for (std::size_t i = 0; i < n;) {
      std::size_t best_period = 0;
      std::uint32_t best_count = 0;
      for (std::size_t q = 1; q <= kLargestPieces && i + 2 * q <= n; ++q) {
        const std::uint32_t count = outer_iterations(pieces, i, q);
        if (count >= 4 && count * q > best_count * best_period) {
          best_count = count;
          best_period = q;
        }
      }
      if (best_period == 0) {
        result.push_back(std::move(pieces[i++]));
        continue;
      }
      Piece loop{Piece::Kind::kLoop, pieces[i].begin, 0, best_count, {}};
      for (std::size_t t = 0; t < best_period; ++t) {
        loop.length += pieces[i + t].length * pieces[i + t].count;
        loop.body.push_back(std::move(pieces[i + t]));
      }
      i += best_period * best_count;
      result.push_back(std::move(loop));
    }
    return result;
  }

  std::uint32_t outer_iterations(const std::vector<Piece>& pieces, std::size_t i,
                                 std::size_t q) const {
    std::uint32_t length = 0;
    bool has_loop = false;
    for (std::size_t t = 0; t < q; ++t) {
      length += pieces[i + t].length * pieces[i + t].count;
      has_loop = has_loop || pieces[i + t].kind == Piece::Kind::kLoop;
    }
    if (!has_loop) return 1;
    std::uint32_t count = 1;
    for (; i + (count + 1) * q <= pieces.size(); ++count) {
      bool fits = true;
      for (std::size_t t = 0; t < q && fits; ++t)
        fits = same_shape(pieces[i + t], pieces[i + count * q + t]);
      const std::uint32_t first = pieces[i].begin, last = first + (count - 1) * length;
      for (std::uint32_t t = 0; t < length && fits; ++t) {
        fits = count == 1 ? code_[first + t].code == code_[first + length + t].code &&
                                same_data(first + t, length)
                          : follows(first + t, last + t, length);
      }
      if (!fits) break;
    }
    return within_segments(pieces[i].begin, length, count);
  }

  const vm::Segments& segments_;
  const vm::Program& code_;
  const std::uint32_t leaf_size_;
};

}  // namespace

std::vector<Piece> find_loops(const vm::Segments& segments, const vm::Program& code,
                              std::uint32_t begin, std::uint32_t end, std::uint32_t leaf_size) {
  return LoopFinder(segments, code, leaf_size).run(begin, end);
}

}  // namespace arges::jit
