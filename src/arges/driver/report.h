#pragma once
// The report of solved benchmarks: a folder with pages that any browser shows.

#include <filesystem>
#include <string>
#include <vector>

#include "arges/driver/benchmark.h"

namespace arges {

// Makes the folder if it is missing, and finds out whether files can be written there: before hours
// of computing, not after. Throws IoError.
void prepare_report_folder(const std::filesystem::path& folder);

// Writes into the folder
//   index.html        summary, then each benchmark: its tasks with texts, tables, figures (as SVG
//   within
//                     the page) and the comparison of values; rows with an assumed value are marked
//                     so
//   lesson-ID.html    for each benchmark with a lesson
//   NAME.svg          each figure
// The pages need nothing from elsewhere, follow the reader's choice of a light or dark ground, and
// depend on the input alone: the same results give the same bytes. Files of an earlier report are
// replaced; index.html comes last, each file as a whole. Returns the path of index.html. Throws
// IoError.
std::filesystem::path write_report(const std::vector<SolvedBenchmark>& benchmarks,
                                   const std::filesystem::path& folder);

// The page alone. `figure_files` gets the name and the content of each figure's file.
std::string report_page(const std::vector<SolvedBenchmark>& benchmarks,
                        std::vector<std::pair<std::string, std::string>>* figure_files = nullptr);

}  // namespace arges
