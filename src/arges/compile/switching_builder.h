#pragma once
// Makes the modes of a SwitchingSystem.

#include <map>

#include "arges/compile/switching_system.h"

namespace arges {

class SwitchingSystem::Builder {
 public:
  Builder(SwitchingSystem& system, const FlatModel& whole);
  void run(const std::shared_ptr<const external::SharedLibraries>& libraries);

 private:
  void check_parameters() const;
  void analyse();
  void connect(std::size_t mode, const ModeTransition& t);
  Arrival arrive(std::size_t from, Outgoing& out, const ModeTransition& t, int to, bool resumed);
  Past past_of(std::int32_t history, std::size_t from, const FlatTransition& transition,
               bool resumed) const;
  void declare();
  void declare_mode_parts(std::size_t k);
  int read(Outgoing& out, VarId v);
  int memory_of(VarId v);
  VarId same_variable(std::size_t mode, std::size_t other, VarId v) const;

  SwitchingSystem& system_;
  const FlatModel& whole_;
  ModeSplitter splitter_;
  std::vector<std::vector<ModeTransition>> outgoing_;
  std::vector<CausalModel> models_;
  std::vector<std::vector<VarId>> differentiated_;  // by the text, of each mode
  std::map<std::int32_t, int> memory_;              // VarId -> number
};

}  // namespace arges
