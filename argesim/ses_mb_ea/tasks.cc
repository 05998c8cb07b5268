#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "arges/experiment/optimise.h"
#include "arges/variants/read_structure.h"
#include "arges/variants/variant_search.h"
#include "argesim/benchmarks.h"
#include "argesim/embedded.h"
#include "argesim/ses_mb_ea/model.h"

namespace arges::argesim {

namespace {

using namespace arges::variants;
using enum ReferenceSource;

EntityStructure structure(const std::string& path) {
  return parse_structure(path, std::string(embedded_text(path)));
}

// The job shop as a function of the number of servers and the period.
class Shop {
 public:
  Shop() : structure_(structure("argesim/ses_mb_ea/JobShop.toml")) {
    models_.add(ses::make_model());
    VariantSetup setup{models_, {}, {}, {}};
    for (const char* each : {"jobs", "mean_queue1", "mean_queue2", "mean_idle"})
      setup.observables.push_back(parse_observable(each));
    search_ = std::make_unique<VariantSearch>(structure_, Selection{}, setup,
                                              std::vector<SearchVariable>{});
  }

  // Jobs, mean lengths of the queues, mean number of idle servers.
  const std::vector<double>& run(double servers, double period) {
    return (*search_)(std::vector<double>{servers, period}).observables;
  }
  // The jobs alone have no single maximum: what waits, and who waits, counts against them.
  double quality(double servers, double period) {
    const std::vector<double>& seen = run(servers, period);
    return seen[0] - (seen[1] + seen[2] + seen[3]);
  }
  const std::vector<SearchVariable>& variables() const { return search_->variables(); }

 private:
  EntityStructure structure_;
  ModelRegistry models_;
  std::unique_ptr<VariantSearch> search_;
};

void solve_space(BenchmarkReport& report) {
  report.begin_task("space", "from the tree to the search space, and back (Figures 4 and 5)");
  const EntityStructure tree = structure("argesim/ses_mb_ea/Tree.toml");
  report.compare("structure parameters", static_cast<double>(tree.decisions.size()), 3, 0,
                 kPublished);
  const double sizes[3] = {2, 3, 3};
  for (std::size_t i = 0; i < 3; ++i) {
    report.compare(fmt::format("options of x{}, {}", i + 1, tree.decisions.at(i).name),
                   static_cast<double>(tree.decisions.at(i).options.size()), sizes[i], 0,
                   kPublished);
  }
  int count = 0;
  for_each_variant(tree, {}, [&](const Variant&) { return ++count > 0; });
  report.compare("variants", count, 18, 0, kReference);
  for_each_variant(tree, parse_selection(tree, {"C=dec1", "D.number=4", "E.kind=E2"}),
                   [&](const Variant& pruned) {
                     const auto& parts = pruned.root.parts;
                     report.compare("(1, 4, 2): parts K", parts.at(1).count, 4, 0, kPublished);
                     report.compare("(1, 4, 2): aspect dec1 of C",
                                    parts.at(0).decomposition->label.text == "dec1", 1, 0,
                                    kPublished);
                     report.compare("(1, 4, 2): E has become E2", parts.at(2).kinds.back() == "E2",
                                    1, 0, kPublished);
                     return true;
                   });
}

void solve_surface(BenchmarkReport& report, Shop& shop) {
  report.begin_task("surface", "jobs handled in 3600 s (Figure 8)");
  struct Known {
    double period, servers, jobs;
  };
  for (const Known& each :
       {Known{10, 7, 353}, {9, 7, 353}, {11, 7, 321}, {10, 6, 303}, {10, 8, 353}}) {
    report.compare(fmt::format("jobs, period {:g} s, {:g} servers", each.period, each.servers),
                   shop.run(each.servers, each.period)[0], each.jobs, 0, kReference);
  }
  report.compare("mean length of Queue1, period 9 s", shop.run(7, 9)[1], 20, 0.1, kReference);
  // Seven servers begin at 10, 20, ... 70 s, and are never idle again.
  report.compare("jobs less mean queues and idle servers, 10 s and 7", shop.quality(7, 10),
                 353 - 280. / 3600, 1e-9, kReference);
  plot::Figure figure = plot::make_figure("", {"period", "s"}, {"jobs"});
  double most = 0, plateau = 0, points = 0, best_quality = -1e300;
  std::vector<double> best;
  std::vector<double> all;
  for (int servers = 1; servers <= 13; ++servers) {
    std::vector<double> periods, jobs;
    for (int k = 0; k <= 32; ++k) {
      periods.push_back(4 + 0.5 * k);
      jobs.push_back(shop.run(servers, periods.back())[0]);
      ++points;
      const double quality = shop.quality(servers, periods.back());
      if (quality > best_quality) best = {static_cast<double>(servers), periods.back()};
      best_quality = std::max(best_quality, quality);
    }
    all.insert(all.end(), jobs.begin(), jobs.end());
    if (servers % 2 == 1)
      figure.panel().add(plot::line(periods, jobs, fmt::format("{} servers", servers)));
  }
  most = *std::ranges::max_element(all);
  plateau = static_cast<double>(std::ranges::count(all, most));
  report.compare("points of a grid of 0.5 s", points, 429, 0, kReference);
  report.compare("of which handle the most jobs", plateau, 91, 0, kReference);
  report.compare("period of the best of them", best[1], 10, 0, kPublished);
  report.compare("servers of the best of them", best[0], 7, 0, kPublished);
  report.figure("surface", "Jobs handled in an hour.", std::move(figure));
}

constexpr int kPointsOfThePaper = 240;  // the mean of its searches
constexpr double kNear = 0.1;           // s: what counts as a period of 10 s

struct Found {
  SearchResult result;
  double first = std::nan("");  // the point at which the optimum was the best so far
};

Found search(Shop& shop, std::uint64_t seed) {
  OptimiseRequest request;
  request.variables = shop.variables();
  request.seed = seed;
  request.limits.max_evaluations = kPointsOfThePaper;
  Found found;
  double best = 1e300, points = 0;
  found.result = optimise(
      [&](std::span<const double> x) {
        ++points;
        const double value = -shop.quality(x[0], x[1]);
        if (value < best) {
          best = value;
          const bool is_there = x[0] == 7 && std::abs(x[1] - 10) <= kNear;
          if (is_there && std::isnan(found.first)) found.first = points;
        }
        return Appraisal{value, {}, {}};
      },
      request);
  return found;
}

void solve_search(BenchmarkReport& report, Shop& shop) {
  constexpr int kSearches = 20;
  report.begin_task("search", fmt::format("{} searches, each with its own seed", kSearches));
  std::vector<std::vector<std::string>> table = {
      {"seed", "servers", "period", "value", "points", "points until 7 and 10 s"}};
  double successes = 0, until = 0, largest_error = 0;
  for (int seed = 1; seed <= kSearches; ++seed) {
    const Found found = search(shop, static_cast<std::uint64_t>(seed));
    const std::vector<double>& x = found.result.x;
    successes += x[0] == 7 && std::abs(x[1] - 10) <= kNear;
    largest_error = std::max(largest_error, std::abs(x[1] - 10));
    until += found.first / kSearches;
    table.push_back({fmt::format("{}", seed), fmt::format("{:g}", x[0]),
                     fmt::format("{:.6f}", x[1]), fmt::format("{:.4f}", -found.result.value),
                     fmt::format("{}", found.result.evaluations),
                     fmt::format("{:g}", found.first)});
  }
  report.compare("searches that find 7 servers and 10 s", successes, kSearches, 0, kPublished);
  report.compare("largest error of the period", largest_error, 0, kNear, kPublished);
  // Of the order of the paper's: what its searches count, and when they end, is not said.
  report.compare("mean number of points until there", until, kPointsOfThePaper,
                 0.9 * kPointsOfThePaper, kPublished);
  report.table("The searches.", table);
}

void solve(BenchmarkReport& report) {
  Shop shop;
  solve_space(report);
  solve_surface(report, shop);
  solve_search(report, shop);
}

}  // namespace

Benchmark job_shop_benchmark() {
  return {"ses-mb-ea", "Optimal System Variants from a Meta-Model", "argesim/ses_mb_ea/lesson.md",
          solve};
}

}  // namespace arges::argesim
