#pragma once
// One factory for each family of methods; make_stepper() (catalogue.cc) picks the family. Each gets
// a name of its own family, equations of a form that the catalogue says it can solve, and checked
// options.

#include <memory>
#include <string_view>

#include "arges/solvers/stepper.h"

namespace arges {

std::unique_ptr<Stepper> make_fixed_step(std::string_view name, const Equations&,
                                         const SolverOptions&);
std::unique_ptr<Stepper> make_real_time(std::string_view name, const Equations&,
                                        const SolverOptions&);
std::unique_ptr<Stepper> make_multirate(std::string_view name, const Equations&,
                                        const SolverOptions&);
std::unique_ptr<Stepper> make_explicit_rk(std::string_view name, const Equations&,
                                          const SolverOptions&);
std::unique_ptr<Stepper> make_rosenbrock(std::string_view name, const Equations&,
                                         const SolverOptions&);
std::unique_ptr<Stepper> make_cvode(std::string_view name, const Equations&, const SolverOptions&);
std::unique_ptr<Stepper> make_ida(std::string_view name, const Equations&, const SolverOptions&);
std::unique_ptr<Stepper> make_arkode(std::string_view name, const Equations&, const SolverOptions&);
std::unique_ptr<Stepper> make_quantised(std::string_view name, const Equations&,
                                        const SolverOptions&);

}  // namespace arges
