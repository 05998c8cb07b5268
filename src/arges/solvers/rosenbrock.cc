#include "arges/solvers/factories.h"
#include "arges/solvers/rosenbrock_stepper.h"

namespace arges {

namespace {

template <int N>
std::unique_ptr<Stepper> make(const Equations& equations, const SolverOptions& options) {
  return std::make_unique<RosenbrockStepper<N>>(equations, options);
}

}  // namespace

std::unique_ptr<Stepper> make_rosenbrock(std::string_view, const Equations& equations,
                                         const SolverOptions& options) {
  switch (equations.size()) {
    case 1:
      return make<1>(equations, options);
    case 2:
      return make<2>(equations, options);
    case 3:
      return make<3>(equations, options);
    case 4:
      return make<4>(equations, options);
    case 5:
      return make<5>(equations, options);
    case 6:
      return make<6>(equations, options);
    default:
      return make<-1>(equations, options);
  }
}

}  // namespace arges
