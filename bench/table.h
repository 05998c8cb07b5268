#pragma once
// The rows of `make bench`.

#include <string>
#include <vector>

namespace arges::bench {

struct Row {
  std::string name;
  double ours = 0;
  double reference = 0;
  std::string unit;
  double bound = 0;  // of ours / reference; 0: none
  std::string note;  // steps and errors of both

  double ratio() const { return ours / reference; }
};

// Collects rows, prints each as it comes, and remembers whether an answer was wrong.
class Table {
 public:
  void section(const std::string& title);
  void add(Row row);
  // A wrong answer: the program fails in the end.
  void wrong(const std::string& what);
  bool all_right() const { return all_right_; }
  // [{name, ours, reference, ratio, unit}, ...]; kAppend: after the rows that another program has
  // written there. Throws IoError.
  enum class Mode { kReplace, kAppend };
  void write_json(const std::string& path, Mode mode = Mode::kReplace) const;

 private:
  std::vector<Row> rows_;
  bool all_right_ = true;
};

}  // namespace arges::bench
