#include "bench/table.h"

#include <cstdio>

#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arges/base/atomic_file.h"

namespace arges::bench {

void Table::section(const std::string& title) {
  fmt::print("\n{:<50} {:>10} {:>10} {:>7}  {:<6} {:>6}\n", title, "ours", "reference", "ratio",
             "bound", "unit");
}

void Table::add(Row row) {
  const std::string bound =
      row.bound > 0 ? fmt::format("{:.2f}{}", row.bound, row.ratio() > row.bound ? "!" : "") : "";
  fmt::print("{:<50} {:>10.4g} {:>10.4g} {:>7.3f}  {:<6} {:>6}  {}\n", row.name, row.ours,
             row.reference, row.ratio(), bound, row.unit, row.note);
  std::fflush(stdout);
  rows_.push_back(std::move(row));
}

void Table::wrong(const std::string& what) {
  fmt::print("WRONG: {}\n", what);
  all_right_ = false;
}

void Table::write_json(const std::string& path, Mode mode) const {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  if (std::ifstream before(path); mode == Mode::kAppend && before) {
    all = nlohmann::ordered_json::parse(before);
  }
  for (const Row& row : rows_) {
    all.push_back({{"name", row.name},
                   {"ours", row.ours},
                   {"reference", row.reference},
                   {"ratio", row.ratio()},
                   {"unit", row.unit}});
  }
  AtomicFile file(path);
  file.write(all.dump(1) + "\n");
  file.commit();
}

}  // namespace arges::bench
