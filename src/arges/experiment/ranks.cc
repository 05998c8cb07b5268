#include "arges/experiment/ranks.h"

#include <atomic>
#include <cstdlib>

#include "arges/base/error.h"
#include "arges/base/parse_number.h"
#include "arges/base/plugin.h"
#include "arges/experiment/packing.h"

namespace arges {

namespace {

// An order: the runs from begin to end - 1; an empty one is the end of the work.
std::string order(std::int64_t begin, std::int64_t end) {
  std::string bytes;
  put(bytes, begin);
  put(bytes, end);
  return bytes;
}

std::string pack(const std::vector<StudyRow>& rows) {
  std::string bytes;
  put(bytes, static_cast<std::int64_t>(rows.size()));
  for (const StudyRow& row : rows) put_row(bytes, row);
  return bytes;
}

void unpack(const std::string& bytes, std::vector<StudyRow>& rows) {
  ByteReader reader(bytes);
  for (auto count = reader.take<std::int64_t>(); count > 0; --count)
    rows.push_back(take_row(reader));
}

// Another process.
class RemoteWorker final : public Worker {
 public:
  RemoteWorker(Ranks& ranks, int rank) : ranks_(ranks), rank_(rank) {}

  StudyRow run(std::int64_t index) override {
    std::vector<StudyRow> rows;
    run_range(
        index, index + 1, [] { return false; }, rows);
    return rows.at(0);
  }
  void run_range(std::int64_t begin, std::int64_t end, const std::function<bool()>&,
                 std::vector<StudyRow>& rows) override {
    ranks_.send(rank_, order(begin, end));
    unpack(ranks_.receive(rank_), rows);
  }
  bool prefers_ranges() const override { return true; }

 private:
  Ranks& ranks_;
  int rank_;
};

void serve(const WorkerFactory& make, const EnsembleOptions& options, Ranks& ranks) {
  const std::unique_ptr<Worker> worker = make();
  const auto cancelled = [&] { return options.cancel != nullptr && options.cancel->load(); };
  for (;;) {
    const std::string message = ranks.receive(0);
    ByteReader reader(message);
    const auto begin = reader.take<std::int64_t>(), end = reader.take<std::int64_t>();
    if (begin == end) return;
    std::vector<StudyRow> rows;
    worker->run_range(begin, end, cancelled, rows);
    ranks.send(0, pack(rows));
  }
}

int number_in(const char* variable) {
  const char* text = std::getenv(variable);
  const auto value = text != nullptr ? parse_number(text) : std::nullopt;
  return value ? static_cast<int>(*value) : -1;
}

}  // namespace

RankOfMany rank_by_environment() {
  const int size = number_in("OMPI_COMM_WORLD_SIZE"), rank = number_in("OMPI_COMM_WORLD_RANK");
  return size > 1 && rank >= 0 ? RankOfMany{rank, size} : RankOfMany{};
}

std::unique_ptr<Ranks> start_ranks() {
  const PluginSymbol found = load_plugin("arges_mpi.so", "ARGES_MPI_PLUGIN", kRanksSymbol);
  const auto* plugin = static_cast<const RanksPlugin*>(found.symbol);
  if (plugin == nullptr || plugin->abi != kRanksAbi) {
    throw UserError("under mpirun a study needs the plugin arges_mpi.so: " +
                    (found.problem.empty() ? "it belongs to another version" : found.problem));
  }
  return std::unique_ptr<Ranks>(plugin->make());
}

std::int64_t run_on_ranks(
    std::int64_t count, const WorkerFactory& make,
    const std::function<std::unique_ptr<Worker>(std::unique_ptr<Worker>)>& wrap,
    const EnsembleOptions& options, Ranks& ranks,
    const std::function<bool(const StudyRow&)>& take) {
  if (ranks.rank() != 0) {
    serve(make, options, ranks);
    return -1;
  }
  EnsembleOptions all = options;
  const int local = options.threads > 0 ? options.threads : 1;
  all.threads = ranks.size() - 1 + local;
  std::atomic<int> next{1};
  const auto make_any = [&]() -> std::unique_ptr<Worker> {
    const int k = next++;
    return wrap(k < ranks.size() ? std::make_unique<RemoteWorker>(ranks, k) : make());
  };
  const std::int64_t taken = run_ensemble(count, make_any, all, take);
  for (int k = 1; k < ranks.size(); ++k) ranks.send(k, order(0, 0));
  return taken;
}

}  // namespace arges
