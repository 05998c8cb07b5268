#include "argesim/ga_deceptive/model.h"

#include <algorithm>

#include "arges/base/error.h"
#include "arges/process/world.h"

namespace arges::argesim::ga {

namespace {

constexpr int kBits = 12;
constexpr std::uint16_t kPure[3] = {0xF00, 0x0F0, 0x00F};

std::array<Strategy, 1 << kBits> decode_all() {
  std::array<Strategy, 1 << kBits> all;
  for (unsigned agent = 0; agent < all.size(); ++agent) {
    const unsigned k[3] = {agent >> 8, (agent >> 4) & 15, agent & 15};
    for (std::size_t i = 0; i < 3; ++i)
      all[agent][i] = (k[i] + 0.001) / (k[0] + k[1] + k[2] + 0.003);
  }
  return all;
}

const Strategy& decode(std::uint16_t agent) {
  static const std::array<Strategy, 1 << kBits> kAll = decode_all();
  return kAll[agent];
}

}  // namespace

double payoff(const Strategy& own, const Strategy& other) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) sum += own[i] * kPayoff[i][j] * other[j];
  }
  return sum;
}

Contest::Contest(const Rules& rules)
    : rules_(rules), random_(rules.seed, rules.replication, "genetics") {
  for (std::size_t p = 0; p < 2; ++p) {
    for (int i = 0; i < rules.agents; ++i)
      agents_[p].push_back(static_cast<Agent>(random_.integer(0, (1 << kBits) - 1)));
    if (rules.conservative[p]) agents_[p].insert(agents_[p].end(), kPure, kPure + 3);
    measure(p);
  }
}

void Contest::measure(std::size_t population) {
  Strategy sum{};
  for (const Agent agent : agents_[population]) {
    for (std::size_t i = 0; i < 3; ++i) sum[i] += decode(agent)[i];
  }
  for (double& each : sum) each /= static_cast<double>(agents_[population].size());
  strategies_[population] = sum;
}

void Contest::step() {
  // Both learn from the same period.
  const std::array<Strategy, 2> before = strategies_;
  for (std::size_t p = 0; p < 2; ++p) breed(p, before[1 - p]);
  for (std::size_t p = 0; p < 2; ++p) measure(p);
}

void Contest::breed(std::size_t population, const Strategy& opponent) {
  std::vector<Agent>& agents = agents_[population];
  Strategy fitness{};  // of the pure strategies
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) fitness[i] += kPayoff[i][j] * opponent[j];
  }
  wheel_.clear();
  double sum = 0;
  for (const Agent agent : agents) {
    const Strategy& s = decode(agent);
    wheel_.push_back(sum += s[0] * fitness[0] + s[1] * fitness[1] + s[2] * fitness[2]);
  }
  const auto draw = [&] {
    const auto at = std::upper_bound(wheel_.begin(), wheel_.end(), sum * random_.uniform());
    return agents[static_cast<std::size_t>(std::min(at, wheel_.end() - 1) - wheel_.begin())];
  };
  next_.clear();
  for (int pair = 0; pair < rules_.agents / 2; ++pair) {
    const Agent first = draw(), second = draw();
    if (rules_.crossover < 1 && !random_.bernoulli(rules_.crossover)) {
      next_.insert(next_.end(), {first, second});
      continue;
    }
    const auto tail = static_cast<Agent>((1u << random_.integer(1, kBits - 1)) - 1);
    next_.push_back(static_cast<Agent>((first & ~tail) | (second & tail)));
    next_.push_back(static_cast<Agent>((second & ~tail) | (first & tail)));
  }
  if (rules_.mutation > 0) {
    const auto bits = static_cast<std::int64_t>(next_.size()) * kBits;
    for (std::int64_t bit = random_.geometric(rules_.mutation); bit < bits;
         bit += 1 + random_.geometric(rules_.mutation))
      next_[static_cast<std::size_t>(bit / kBits)] ^= static_cast<Agent>(1u << (bit % kBits));
  }
  std::ranges::copy(next_, agents.begin());
}

bool Contest::is_over() const {
  if (rules_.mutation > 0 || rules_.conservative[0] || rules_.conservative[1]) return false;
  return std::ranges::all_of(agents_, [](const std::vector<Agent>& agents) {
    return std::ranges::all_of(agents, [&](Agent each) { return each == agents[0]; });
  });
}

namespace {

class Scene : public ProcessScene {
 public:
  Scene(process::World& world, const Rules& rules) : contest_(rules) {
    world.start(learning(world), "learning", {.daemon = true});
  }
  void watch(process::ResultRecorder& recorder) override {
    for (std::size_t p = 0; p < 2; ++p) {
      for (std::size_t i = 0; i < 3; ++i) {
        recorder.watch({"s" + std::to_string(p + 1) + "[" + std::to_string(i + 1) + "]", "",
                        "mean probability of a pure strategy"},
                       [this, p, i] { return contest_.strategy(p)[i]; });
      }
      recorder.watch({"payoff" + std::to_string(p + 1), "", "mean payoff of the population"},
                     [this, p] { return contest_.payoff_of(p); });
    }
  }

 private:
  process::Process learning(process::World&) {
    for (;;) {
      co_await process::delay(1);
      contest_.step();
    }
  }
  Contest contest_;
};

}  // namespace

std::unique_ptr<DiscreteModel> make_model() {
  DiscreteModel::Info info;
  info.name = "ga-deceptive";
  info.description = "two populations that learn a game by a genetic algorithm";
  info.parameters = {
      {"agents", 100, 1, "", "in each population", ValueType::kInteger},
      {"conservative1", 0, 1, "", "agents that never learn, in the first", ValueType::kBoolean},
      {"conservative2", 0, 1, "", "likewise, in the second", ValueType::kBoolean},
      {"crossover", 1, 1, "", "probability for a pair"},
      {"mutation", 0, 1, "", "probability for a bit"},
      {"seed", 1, 1, "", "of the random numbers", ValueType::kInteger},
      {"replication", 0, 1, "", "which of the runs with that seed", ValueType::kInteger},
  };
  info.experiment.stop_time = 500;
  return std::make_unique<ProcessModel>(
      std::move(info), [](process::World& world, const ParameterValues& values) {
        Rules rules;
        rules.agents = values.integer("agents");
        rules.conservative = {values["conservative1"] != 0, values["conservative2"] != 0};
        rules.crossover = values["crossover"];
        rules.mutation = values["mutation"];
        rules.seed = static_cast<std::uint64_t>(values["seed"]);
        rules.replication = static_cast<std::uint64_t>(values["replication"]);
        const auto probability = [](double p) { return p >= 0 && p <= 1; };
        if (rules.agents < 2 || rules.agents % 2 != 0 || !probability(rules.crossover) ||
            !probability(rules.mutation))
          throw UserError(
              "ga-deceptive: the number of agents is even, and probabilities are between 0 and 1");
        return std::make_unique<Scene>(world, rules);
      });
}

}  // namespace arges::argesim::ga
