// Messages between processes through MPI.

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <chrono>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include "arges/experiment/ranks.h"

namespace {

constexpr int kTag = 1;
// Between looks for a message. MPI's own waiting keeps a core busy, which the runs need.
constexpr auto kNap = std::chrono::microseconds(20);

class MpiRanks final : public arges::Ranks {
 public:
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED)
      throw std::runtime_error("this MPI cannot be used from several threads");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int to, const std::string& bytes) override {
    MPI_Request request = MPI_REQUEST_NULL;
    int done = 0;
    {
      const std::lock_guard lock(mutex_);
      MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, kTag, MPI_COMM_WORLD,
                &request);
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    // A receiver may take its time: other threads need not wait for it.
    while (done == 0) {
      std::this_thread::sleep_for(kNap);
      const std::lock_guard lock(mutex_);
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
  }

  std::string receive(int from) override {
    for (;;) {
      {
        const std::lock_guard lock(mutex_);
        int arrived = 0;
        MPI_Status status;
        MPI_Iprobe(from, kTag, MPI_COMM_WORLD, &arrived, &status);
        if (arrived != 0) {
          int size = 0;
          MPI_Get_count(&status, MPI_BYTE, &size);
          std::string bytes(static_cast<std::size_t>(size), '\0');
          MPI_Recv(bytes.data(), size, MPI_BYTE, from, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          return bytes;
        }
      }
      std::this_thread::sleep_for(kNap);
    }
  }

  void finish() override { MPI_Finalize(); }

 private:
  int rank_ = 0, size_ = 1;
  std::mutex mutex_;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const arges::RanksPlugin arges_ranks{
    arges::kRanksAbi, []() -> arges::Ranks* { return new MpiRanks; }};
