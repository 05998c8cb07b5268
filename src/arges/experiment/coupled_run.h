#pragma once
// One system as several models, each integrated by its own thread.

#include <cstddef>
#include <string>
#include <vector>

#include "arges/hybrid/system.h"

namespace arges {

// A model without events, with explicit equations. Parts may share a model.
struct CoupledPart {
  const HybridSystem& model;
  Context start;
};

// A state of one part is an input of another.
struct CoupledLink {
  std::size_t from;
  std::string state;
  std::size_t to;
  std::string input;
};

struct CoupledOptions {
  double start = 0, stop = 1;
  double step = 0.01;  // of the classical Runge-Kutta method; shortened to fit
  // 0: inputs are handed over at every stage, and the parts together do what one model would do.
  // k: after every k steps; in between they keep their values, an error of first order.
  int exchange_every = 0;
  int threads = 1;  // the parts are dealt out evenly, in their order
};

struct CoupledResult {
  std::vector<std::vector<double>> states;  // of each part at the end
  double wall_s = 0;                        // without the preparation
};

// Integrates all parts together:
//
//   each thread, for its parts:
//     for each step: for each stage of the method:
//       when it is time: publish the states that others want; wait for all; read the inputs
//       evaluate the rates, go on to the next stage
//
// The result does not depend on the number of threads. Throws ApiError for what is not a part,
// state or input, and for models with events or implicit equations; EvaluationError of a model
// comes out.
CoupledResult run_coupled(const std::vector<CoupledPart>& parts,
                          const std::vector<CoupledLink>& links, const CoupledOptions& options);

}  // namespace arges
