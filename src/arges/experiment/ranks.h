#pragma once
// Several processes that work on one study: under mpirun, on one machine or many.

#include <functional>
#include <memory>
#include <string>

#include "arges/experiment/ensemble.h"

namespace arges {

// Messages between processes. Rank 0 leads. Calls may come from several threads.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void send(int to, const std::string& bytes) = 0;
  // Waits for the next message of a rank.
  virtual std::string receive(int from) = 0;
  // All messages have been sent and received: nothing may be called any more.
  virtual void finish() = 0;
};

constexpr const char* kRanksSymbol = "arges_ranks";
constexpr int kRanksAbi = 1;

struct RanksPlugin {
  int abi;
  Ranks* (*make)();  // starts MPI
};

// Which process of how many this is, as mpirun says in the environment; 0 of 1 without it. MPI
// itself is not touched.
struct RankOfMany {
  int rank = 0, size = 1;
};
RankOfMany rank_by_environment();

// Loads the plugin arges_mpi.so and starts MPI. Throws UserError when the plugin is not there.
std::unique_ptr<Ranks> start_ranks();

// run_ensemble() with the other ranks as workers. Rank 0 hands out chunks of runs as ranks become
// free, does runs itself on `options.threads` threads (0: one), and takes all rows in order; it
// returns how many. The other ranks work until rank 0 needs no more, and return -1. All ranks must
// have made the same plan: what is taken is the same for any number of ranks and threads.
//
// finish() is left to the caller: after Ctrl-C mpirun kills all ranks within a second or two, and
// the end of MPI waits for mpirun in vain. What rank 0 has to write and print comes before.
//
// `wrap`, called on rank 0, may put something around a worker (a journal).
using WorkerFactory = std::function<std::unique_ptr<Worker>()>;
std::int64_t run_on_ranks(
    std::int64_t count, const WorkerFactory& make,
    const std::function<std::unique_ptr<Worker>(std::unique_ptr<Worker>)>& wrap,
    const EnsembleOptions& options, Ranks& ranks, const std::function<bool(const StudyRow&)>& take);

}  // namespace arges
