#include "bench/discrete/devstone.h"

#include <vector>

namespace arges::bench {

const char* to_string(DevstoneKind kind) {
  switch (kind) {
    case DevstoneKind::kLI:
      return "LI";
    case DevstoneKind::kHI:
      return "HI";
    case DevstoneKind::kHO:
      return "HO";
    case DevstoneKind::kHOmod:
      return "HOmod";
  }
  return "";
}

DevstoneLevel::DevstoneLevel(DevstoneKind kind, int width, int depth) {
  if (depth == 1) {
    Stone& stone = add<Stone>("stone");
    couple(in, stone.in);
    couple(stone.out, out);
    return;
  }
  DevstoneLevel& inner = add<DevstoneLevel>("inner", kind, width, depth - 1);
  couple(in, inner.in);
  couple(inner.out, out);
  if (kind == DevstoneKind::kHO) couple(in2, inner.in2);
  if (kind == DevstoneKind::kHOmod) {
    add_triangle(inner, width);
  } else {
    add_chain(kind, width);
  }
}

// Each stone gets the input; HI and HO: and the output of the stone before it.
void DevstoneLevel::add_chain(DevstoneKind kind, int width) {
  const Stone* before = nullptr;
  for (int i = 1; i < width; ++i) {
    Stone& stone = add<Stone>("stone[" + std::to_string(i) + "]");
    couple(kind == DevstoneKind::kHO ? in2 : in, stone.in);
    if (kind != DevstoneKind::kLI && before != nullptr) couple(before->out, stone.in);
    if (kind == DevstoneKind::kHO) couple(stone.out, out2);
    before = &stone;
  }
}

// Rows of w-1, w-1, w-2, ..., 1 stones. The first row feeds the inner level, the second all of the
// first, each later one stone by stone the row before it.
void DevstoneLevel::add_triangle(const DevstoneLevel& inner, int width) {
  const auto stone = [&](int row, int i) -> Stone& {
    return add<Stone>("stone[" + std::to_string(row) + "," + std::to_string(i) + "]");
  };
  std::vector<const Stone*> first, above;
  for (int i = 1; i < width; ++i) {
    first.push_back(&stone(1, i));
    couple(in2, first.back()->in);
    couple(first.back()->out, inner.in2);
  }
  for (int i = 1; i < width; ++i) {
    above.push_back(&stone(2, i));
    if (i == 1) couple(in2, above.back()->in);
    for (const Stone* target : first) couple(above.back()->out, target->in);
  }
  for (int row = 3; row <= width; ++row) {
    std::vector<const Stone*> present;
    for (std::size_t i = 1; i < above.size(); ++i) {
      present.push_back(&stone(row, static_cast<int>(i)));
      if (i == 1) couple(in2, present.back()->in);
      couple(present.back()->out, above[i]->in);
    }
    above = std::move(present);
  }
}

DevstoneCounts devstone_formula(DevstoneKind kind, int width, int depth) {
  const std::int64_t w = width, d = depth;
  const std::int64_t chain = (w - 1) * (d - 1) + 1;
  switch (kind) {
    case DevstoneKind::kLI:
      return {chain, chain, chain};
    case DevstoneKind::kHI:
    case DevstoneKind::kHO: {
      const std::int64_t events = (d - 1) * (w - 1) * w / 2 + 1;
      return {chain, events, events};
    }
    case DevstoneKind::kHOmod: {
      const std::int64_t level = 2 * (w - 1) + (w - 2) * (w - 1) / 2;
      const std::int64_t events = 1 + 3 * (w * (w - 1) / 2) * (d - 1) +
                                  (w - 1) * (w - 1) * (w + 2) / 4 * (d - 1) * (d - 2) +
                                  ((w - 1) * (w - 1) * (w + 2) % 4) * (d - 1) * (d - 2) / 4;
      return {level * (d - 1) + 1, events, events};
    }
  }
  return {};
}

}  // namespace arges::bench
