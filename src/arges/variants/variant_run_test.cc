#include "arges/variants/variant_run.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "arges/base/error.h"
#include "arges/experiment/optimise.h"
#include "arges/variants/modelica_text.h"
#include "arges/variants/read_structure.h"
#include "arges/variants/variant_search.h"

namespace arges::variants {
namespace {

// A body that is heated through a joint, and cooled by fins or by a pump.
const char* const kClasses = R"(
connector Port
  Real T;
  flow Real Q;
end Port;
model Chip
  parameter Real P = 20, C = 5;
  Port port;
  Real T(start = 20, fixed = true);
equation
  T = port.T;
  C*der(T) = P + port.Q;
end Chip;
model Layer
  parameter Real R = 1;
  Port a, b;
equation
  a.Q = (a.T - b.T)/R;
  a.Q + b.Q = 0;
end Layer;
model ToAir
  parameter Real R = 4;
  Port port;
equation
  port.Q = (port.T - 20)/R;
end ToAir;
partial model Mount
  Port port;
end Mount;
)";
const char* const kStructure = R"(
root = "Assembly"
stop = 1000
[base]
files = ["classes.mo"]
[entity.Assembly.aspect.built]
parts = ["Chip", "Joint", "Sink"]
couplings = ["Chip.port -- Joint.a", "Joint.b -- Sink.port"]
[entity.Chip.attributes]
P = 10
[entity.Joint]
model = "Layer"
specialisation.kind.choices = ["Paste", "Pad"]
[entity.Paste.attributes]
R = 0.1
[entity.Pad.attributes]
R = 0.5
[entity.Sink]
model = "Mount"
multi.fins = { part = "Fin", count = "1:4", couplings = "port -- Fin[i].port" }
aspect.liquid = { parts = ["Pump"], couplings = "port -- Pump.port" }
[entity.Fin]
model = "ToAir"
attributes.R = { value = 4, range = "3:6" }
[entity.Pump]
model = "ToAir"
attributes.R = { formula = "Joint.R + 0.9" }
)";

class VariantRuns : public ::testing::Test {
 protected:
  VariantRuns() {
    folder_ = std::filesystem::path(::testing::TempDir()) / "arges_variants";
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "classes.mo") << kClasses;
    structure_ = parse_structure((folder_ / "cooling.toml").string(), kStructure);
  }

  std::filesystem::path folder_;
  EntityStructure structure_;
  ModelRegistry models_;
};

TEST_F(VariantRuns, AllVariantsHaveTheTemperatureOfTheirResistances) {
  const VariantSetup setup{models_, {}, {}, {parse_observable("Chip.T")}};
  int count = 0;
  for_each_variant(structure_, {}, [&](const Variant& variant) {
    ++count;
    auto numbers = numbers_of(structure_, variant);
    const bool fins = numbers.contains("Sink.fins");
    const double sink = fins ? 4 / numbers["Sink.fins"] : numbers["Joint.R"] + 0.9;
    VariantRun run(structure_, variant, setup);
    const VariantRun::Result result = run({});
    EXPECT_EQ(result.status, RunReason::kFinished);
    EXPECT_NEAR(result.observables[0], 20 + 10 * (numbers["Joint.R"] + sink), 1e-4)
        << describe(structure_, variant);
    return true;
  });
  EXPECT_EQ(count, 10);
}

TEST_F(VariantRuns, ValuesReachAllReplicasAndFormulas) {
  RunRequest request;
  request.values = {{"Chip.C", 2}, {"Joint.R", 0.3}};
  const VariantSetup setup{models_,
                           request,
                           std::vector<Varied>{{"Sink.Fin.R"}, {"Chip.P"}},
                           {parse_observable("Chip.T"), parse_observable("Sink.Pump.port.Q")}};
  const auto run_of = [&](const std::vector<std::string>& select, const std::vector<double>& values,
                          std::vector<bool>& has) {
    std::vector<double> seen;
    for_each_variant(structure_, parse_selection(structure_, select), [&](const Variant& variant) {
      VariantRun run(structure_, variant, setup);
      has = run.has_varied();
      seen = run(values).observables;
      return false;
    });
    return seen;
  };
  std::vector<bool> has;
  const auto fins = run_of({"Sink=fins", "fins=3"}, {6, 5}, has);
  EXPECT_NEAR(fins[0], 20 + 5 * (0.3 + 2), 1e-4);
  EXPECT_TRUE(std::isnan(fins[1]));  // there is no pump
  EXPECT_EQ(has, (std::vector<bool>{true, true}));
  const auto pump = run_of({"Sink=liquid"}, {6, 5}, has);
  EXPECT_NEAR(pump[0], 20 + 5 * (0.3 + 1.2), 1e-4);
  EXPECT_NEAR(pump[1], 5, 1e-4);
  EXPECT_EQ(has, (std::vector<bool>{false, true}));
}

TEST_F(VariantRuns, TheSearchFindsStructureAndValue) {
  // 20 + 10 (Rj + R/n) + 2 n + (R - 3.5)^2: for each n the best R = 3.5 - 5/n, at least 3; so R =
  // 3, n = 4 with paste: 20 + 1 + 7.5 + 8 + 0.25. The pump comes to 20 + 1 + 10 + 12.25 (R counts
  // as 0).
  const VariantSetup setup{models_, {}, {}, {parse_observable("Chip.T")}};
  VariantSearch search(structure_, {}, setup, {});
  ASSERT_EQ(search.variables().size(), 4u);
  OptimiseRequest request;
  request.variables = search.variables();
  request.method = "direct";
  request.limits.max_evaluations = 400;
  const auto position = [&](const char* name) {
    return static_cast<std::size_t>(std::ranges::find(search.names(), name) -
                                    search.names().begin());
  };
  const std::size_t fins = position("Sink.fins"), resistance = position("Sink.Fin.R");
  const SearchResult result = optimise(
      [&](std::span<const double> x) {
        const VariantSearch::Trial& trial = search(x);
        return Appraisal{trial.observables[0] + 2 * trial.numbers[fins] +
                             std::pow(trial.numbers[resistance] - 3.5, 2),
                         {},
                         {}};
      },
      request);
  EXPECT_EQ(describe(structure_, search.variant_at(result.x)),
            "Joint.kind = Paste, Sink = fins, Sink.fins = 4");
  EXPECT_NEAR(result.x[3], 3, 1e-6);
  EXPECT_NEAR(result.value, 36.75, 1e-3);
  EXPECT_LT(search.runs(), result.evaluations);  // equal points are run once
}

TEST_F(VariantRuns, AnAttributeHasTheRangeOfItsChoice) {
  std::ofstream(folder_ / "constant.mo")
      << "connector Out = output Real; model Const parameter Real k = 1; Out y; equation y = k; "
         "end Const;";
  const auto best = [&](const std::string& of_small, const std::string& of_big, double sign) {
    const EntityStructure structure = parse_structure(
        (folder_ / "ranges.toml").string(),
        "root = \"Sys\"\nstop = 1\n[base]\nfiles = [\"constant.mo\"]\n[entity.Sys.aspect.a]\n"
        "parts = [\"Src\"]\n[entity.Src]\nmodel = \"Const\"\n"
        "specialisation.kind.choices = [\"Small\", \"Big\"]\n[entity.Small]\nattributes.k = " +
            of_small + "\n[entity.Big]\nattributes.k = " + of_big + "\n");
    const VariantSetup setup{models_, {}, {}, {parse_observable("Src.y")}};
    VariantSearch search(structure, {}, setup, {});
    OptimiseRequest request;
    request.variables = search.variables();
    request.method = "direct";
    request.limits.max_evaluations = 400;
    request.structure = [&](std::span<const double> x) { return search.structure_at(x); };
    request.matters = [&](std::span<const double> x, std::size_t i) {
      return search.matters(x, i);
    };
    const SearchResult result = optimise(
        [&](std::span<const double> x) {
          return Appraisal{sign * search(x).observables[0], {}, {}};
        },
        request);
    EXPECT_EQ(search.ranges_at(result.x).size(),
              of_small.starts_with("{") || search.variant_at(result.x).choices[0].option == 1);
    return sign * result.value;
  };
  // One is fixed.
  EXPECT_NEAR(best("1", "{ value = 2, range = \"1.5:4\" }", -1), 4, 1e-9);
  EXPECT_NEAR(best("1", "{ value = 2, range = \"1.5:4\" }", 1), 1, 1e-9);
  // They differ.
  EXPECT_NEAR(best("{ range = \"0:1\" }", "{ range = \"10:20\" }", -1), 20, 1e-9);
  EXPECT_NEAR(best("{ range = \"0:1\" }", "{ range = \"10:20\" }", 1), 0, 1e-9);
  // In whole numbers each is a structure of its own.
  EXPECT_NEAR(best("{ range = \"int:2:5\" }", "{ range = \"int:7:9\" }", -1), 9, 1e-9);
}

TEST_F(VariantRuns, TheSearchIsTheSameOnSeveralThreadsAndCompilesOnce) {
  struct Found {
    SearchResult result;
    std::vector<double> asked;
    std::int64_t runs;
    std::size_t models;
  };
  const auto search = [&](int threads) {
    const VariantSetup setup{models_, {}, {}, {parse_observable("Chip.T")}};
    VariantSearch variants(structure_, {}, setup, {});
    RunPool pool(variants.functions(), threads);
    variants.run_on(pool);
    OptimiseRequest request;
    request.variables = variants.variables();
    request.method = "direct";
    request.limits.max_evaluations = 150;
    variants.help(request.limits);
    Found found;
    found.result = optimise(
        [&](std::span<const double> x) {
          const VariantSearch::Trial& trial = variants(x);
          found.asked.insert(found.asked.end(), x.begin(), x.end());
          found.asked.push_back(trial.observables[0]);
          return Appraisal{trial.observables[0], {}, {}};
        },
        request);
    found.runs = variants.runs();
    found.models = setup.compiled->count();
    return found;
  };
  const Found one = search(1), four = search(4);
  EXPECT_EQ(one.asked, four.asked);
  EXPECT_EQ(one.result.x, four.result.x);
  EXPECT_EQ(one.result.value, four.result.value);
  EXPECT_EQ(one.runs, four.runs);
  // As many as there are variants, however many threads need them.
  EXPECT_LE(one.models, 10u);
  EXPECT_LE(four.models, 10u);
}

TEST_F(VariantRuns, OneModelOfAllVariantsIsMadeOnce) {
  std::ofstream(folder_ / "one.mo") << "model One parameter Real k = 1; Real x(start = 1, fixed = "
                                       "true); equation der(x) = -k*x; end One;";
  const EntityStructure structure = parse_structure((folder_ / "one.toml").string(), R"(
root = "A"
stop = 1
[base]
model = "one.mo"
parameters.k = "cells"
[entity.A.multi.cells]
part = "B"
count = "1:3"
[entity.B]
)");
  const VariantSetup setup{models_, {}, {}, {parse_observable("x")}};
  int count = 0;
  for_each_variant(structure, {}, [&](const Variant& variant) {
    ++count;
    EXPECT_NEAR(run_variant(structure, variant, setup).observables[0], std::exp(-count), 1e-5);
    return true;
  });
  EXPECT_EQ(count, 3);
  EXPECT_EQ(setup.compiled->count(), 1u);
}

TEST_F(VariantRuns, AVariantWithoutAModelIsARowThatSaysWhy) {
  std::string text = kStructure;
  text.replace(text.find("attributes.R = { formula"), 24, "attributes.Q = { formula");
  const EntityStructure structure = parse_structure((folder_ / "wrong.toml").string(), text);
  const VariantSetup setup{models_, {}, {}, {parse_observable("Chip.T")}};
  int failed = 0, count = 0;
  for_each_variant(structure, {}, [&](const Variant& variant) {
    const ModelFunction::Result result = run_variant(structure, variant, setup);
    ++count;
    if (result.ended()) return true;
    ++failed;
    EXPECT_EQ(result.status, RunReason::kInitialisationFailed);
    EXPECT_NE(result.message.find('Q'), std::string::npos);
    EXPECT_TRUE(std::isnan(result.observables[0]));
    return true;
  });
  EXPECT_EQ(failed, 2);  // those with a pump
  EXPECT_EQ(count, 10);
}

TEST_F(VariantRuns, WhatNoVariantHasIsRefused) {
  const VariantSetup wrong{models_, {}, {}, {parse_observable("Chip.U")}};
  EXPECT_THROW(VariantSearch(structure_, {}, wrong, {}), UserError);
  const VariantSetup good{models_, {}, {}, {parse_observable("Chip.T")}};
  EXPECT_THROW(VariantSearch(structure_, {}, good, {{"Chip.Q", 0, 1}}), UserError);
  const VariantSetup only_pump{models_, {}, {}, {parse_observable("Sink.Pump.port.Q")}};
  EXPECT_NO_THROW(check_setup(structure_, {}, only_pump));
  EXPECT_THROW(check_setup(structure_, parse_selection(structure_, {"Sink=fins"}), only_pump),
               UserError);
}

TEST_F(VariantRuns, ACouplingToNothingIsRefusedWithItsPlace) {
  std::string text = kStructure;
  text.replace(text.find("Chip.port --"), 12, "Chop.port --");
  try {
    parse_structure((folder_ / "wrong.toml").string(), text);
    ADD_FAILURE();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("wrong.toml:8:"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("did you mean 'Chip'?"), std::string::npos);
  }
}

}  // namespace
}  // namespace arges::variants
