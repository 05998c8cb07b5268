#include "bench/quantised/models.h"

#include <string>
#include <utility>

namespace arges::bench {

Buck::Buck() : Converter("Buck", "step-down converter") {
  il_ = declare_state("iL", 0);
  uc_ = declare_state("uC", 0);
  declare_switch_and_diode(0.5);
}

Interleaved::Interleaved() : RowwiseSystem("Interleaved", "four legs on one capacitor") {
  constexpr double kFirst = 1e-8 + 0.01 * kPeriod;
  uc_ = declare_state("uC", 0);
  std::vector<std::pair<StateId, StateId>> entries;
  for (int k = 0; k < kLegs; ++k) {
    const std::string index = "[" + std::to_string(k + 1) + "]";
    legs_.push_back(declare_state("iL" + index, 0));
    rs_.push_back(declare_discrete("Rs" + index, kOff));
    rd_.push_back(declare_discrete("Rd" + index, kOff));
    empty_.push_back(declare_event("leg is empty" + index, Direction::kFalling));
    const double phase = kFirst + kPeriod * k / kLegs;
    declare_timer("closes" + index, phase, kPeriod);
    declare_timer("opens" + index, phase + kDuty * kPeriod / kLegs, kPeriod);
    entries.insert(entries.end(), {{uc_, legs_[k]}, {legs_[k], uc_}});
  }
  declare_sparsity(entries);
  declare_autonomous();
  declare_rows(RowAccess::kSeries);
}

void Interleaved::conditions(const Point& at, Conditions g) const {
  for (int k = 0; k < kLegs; ++k) g[empty_[k]] = at[legs_[k]];
}

void Interleaved::on_event(EventId event, Update& now) const { now[rd_[event.index]] = kOff; }

void Interleaved::on_timer(TimerId timer, Update& now) const {
  const int leg = timer.index / 2;
  const bool closes = timer.index % 2 == 0;
  now[rs_[leg]] = closes ? kOn : kOff;
  now[rd_[leg]] = closes ? kOff : kOn;
}

Cuk::Cuk() : Converter("Cuk", "Cuk converter") {
  il_ = declare_state("iL", 0);
  uc1_ = declare_state("uC1", 0);
  il1_ = declare_state("iL1", 0);
  uc_ = declare_state("uC", 0);
  declare_sparsity({{il_, il1_},
                    {il_, uc1_},
                    {uc1_, il_},
                    {uc1_, il1_},
                    {il1_, il_},
                    {il1_, uc1_},
                    {il1_, uc_},
                    {uc_, il1_}});
  declare_switch_and_diode(0.25);
}

Advection::Advection(int cells)
    : RowwiseSystem("AdvectionReaction", "a travelling front"), cells_(cells) {
  std::vector<std::pair<StateId, StateId>> entries;
  StateId before{};
  for (int i = 0; i < cells; ++i) {
    const StateId u = declare_state("u[" + std::to_string(i + 1) + "]", i < cells / 3 ? 1 : 0);
    if (i > 0) entries.emplace_back(u, before);
    before = u;
  }
  declare_sparsity(entries);
  declare_autonomous();
  declare_rows(RowAccess::kSeries);
}

DiodeCircuit::DiodeCircuit() : RowwiseSystem("DiodeCircuit", "C21, case study 3, ideal diode") {
  uc_ = declare_state("uC", 0, "V", "", 0.03);
  i_ = declare_state("i", 0, "A", "", 1e-3);
  conducts_ = declare_discrete("conducts", 1);
  switches_ = declare_event("diode", Direction::kBoth);
  declare_rows(RowAccess::kSeries);
}

void DiodeCircuit::conditions(const Point& at, Conditions g) const {
  g[switches_] = kR2 * at[i_] + at[uc_];
}

void DiodeCircuit::on_event(EventId, Update& now) const { now[conducts_] = now.rising() ? 0 : 1; }

}  // namespace arges::bench
