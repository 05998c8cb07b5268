#include "argesim/register.h"

#include "argesim/a1_integrator/model.h"
#include "argesim/benchmarks.h"
#include "argesim/c01_lithium/model.h"
#include "argesim/c02_assembly/model.h"
#include "argesim/c03_class_e/model.h"
#include "argesim/c05_two_state/model.h"
#include "argesim/c07_pendulum/model.h"
#include "argesim/c09_fuzzy_tanks/model.h"
#include "argesim/c12_spheres/model.h"
#include "argesim/c21_ball/model.h"
#include "argesim/c21_pendulum/model.h"
#include "argesim/c22_queuing/model.h"
#include "argesim/dae_realtime/model.h"
#include "argesim/furnace/model.h"
#include "argesim/ga_deceptive/model.h"
#include "argesim/quantised_diffusion/model.h"
#include "argesim/ses_mb_ea/model.h"

namespace arges::argesim {

void register_argesim_models(ModelRegistry& registry) {
  registry.add<LithiumClusters>();
  registry.add<ClassEAmplifier>();
  registry.add<TwoState>();
  registry.add<ConstrainedPendulum>();
  registry.add<FuzzyTanks>();
  registry.add<RowOfSpheres>();
  registry.add<BouncingBall>();
  registry.add<RotatingPendulum>();
  registry.add<RotatingPendulumDae>();
  registry.add<RealTimePendulum>();
  registry.add<PulseDiffusion>();
  registry.add(c02::make_model());
  registry.add(c22::make_model());
  registry.add(a1::make_model());
  registry.add(furnace::make_model());
  registry.add(ses::make_model());
  registry.add(ga::make_model());
}

std::vector<Benchmark> argesim_benchmarks() {
  return {
      lithium_benchmark(),     assembly_benchmark(),
      class_e_benchmark(),     two_state_benchmark(),
      pendulum_benchmark(),    fuzzy_tanks_benchmark(),
      scara_benchmark(),       spheres_benchmark(),
      crane_benchmark(),       clearance_benchmark(),
      neural_benchmark(),      ball_benchmark(),
      circuit_benchmark(),     rotating_pendulum_benchmark(),
      queuing_benchmark(),     parallel_benchmark(),
      distributed_benchmark(), integrator_benchmark(),
      furnace_benchmark(),     diffusion_benchmark(),
      real_time_benchmark(),   multiframe_benchmark(),
      job_shop_benchmark(),    deceptive_game_benchmark(),
      supervisor_benchmark(),
  };
}

}  // namespace arges::argesim
