#include "arges/experiment/study.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/experiment/ensemble.h"
#include "arges/hybrid/simulator.h"

namespace arges {
namespace {

std::string refusal(auto&& parse, const std::string& text) {
  try {
    parse(text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

SweepAxis axis_of(const std::string& text) { return parse_axis(text); }
RandomQuantity quantity_of(const std::string& text) { return parse_random(text); }

TEST(Specification, RangesHaveBothEnds) {
  const SweepAxis log = parse_axis("lf=log:100:10000:3");
  EXPECT_EQ(log.name, "lf");
  ASSERT_EQ(log.values.size(), 3u);
  EXPECT_DOUBLE_EQ(log.values[1], 1000);
  EXPECT_EQ(log.values[2], 10000);
  EXPECT_EQ(parse_axis("x=lin:-1:1:5").values, (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
  EXPECT_EQ(parse_axis("kr=list:0.5,1,2").values, (std::vector<double>{0.5, 1, 2}));
}

TEST(Specification, ListsMayHaveWords) {
  const SweepAxis walls = parse_axis("w=list: W.open,{1, 2},f(1,2),\"a,b\"", ListWords::kAllowed);
  EXPECT_EQ(walls.words, (std::vector<std::string>{"W.open", "{1, 2}", "f(1,2)", "\"a,b\""}));
  EXPECT_EQ(walls.values, (std::vector<double>{0, 1, 2, 3}));
  const SweepAxis spaced = parse_axis(" kind = list: K.a , K.c ", ListWords::kAllowed);
  EXPECT_EQ(spaced.name, "kind");
  EXPECT_EQ(spaced.words, (std::vector<std::string>{"K.a", "K.c"}));
  EXPECT_EQ(parse_axis("x = lin : 0 : 1 : 2").values, (std::vector<double>{0, 1}));
  EXPECT_EQ(parse_random(" lf = uniform( 100 , 200 ) ").name, "lf");
  EXPECT_EQ(parse_search_variable("x = log : 1 : 10").low, 1);
  const SweepAxis on = parse_axis("on=list:false,true", ListWords::kAllowed);
  EXPECT_EQ(on.values, (std::vector<double>{0, 1}));
  EXPECT_TRUE(on.words.empty());
  EXPECT_EQ(refusal(axis_of, "w=list:1,open"),
            "'open' is not a finite number\n  w=list:1,open\n           ^");
  EXPECT_NE(refusal([](auto& text) { parse_axis(text, ListWords::kAllowed); }, "w=list:a,,b"), "");
  const RandomQuantity n = parse_random("n=list(2,4,8)");
  random::Stream stream(1, 0, "n");
  int fours = 0;
  for (int k = 0; k < 3000; ++k) {
    const double drawn = n.draw(stream);
    EXPECT_TRUE(drawn == 2 || drawn == 4 || drawn == 8);
    fours += drawn == 4;
  }
  EXPECT_NEAR(fours, 1000, 100);
  EXPECT_EQ(parse_random("n=list(a,b)", ListWords::kAllowed).words,
            (std::vector<std::string>{"a", "b"}));
}

TEST(Specification, CountsMayBeLarge) {
  struct Case {
    const char* text;
    double mean, variance;
  };
  for (const Case& each :
       {Case{"k=poisson(1e6)", 1e6, 1e6}, Case{"k=binomial(1000,0.25)", 250, 187.5}}) {
    const RandomQuantity k = parse_random(each.text);
    random::Stream stream(1, 0, "k");
    constexpr int kDraws = 4000;
    double sum = 0;
    for (int i = 0; i < kDraws; ++i) sum += k.draw(stream);
    EXPECT_NEAR(sum / kDraws, each.mean, 4 * std::sqrt(each.variance / kDraws)) << each.text;
  }
}

TEST(Specification, WrongOnesAreRefusedWithThePlace) {
  EXPECT_EQ(refusal(axis_of, "lf=log:0:10:5"),
            "a logarithmic range cannot go through zero\n  lf=log:0:10:5\n         ^");
  EXPECT_EQ(refusal(axis_of, "lf=log:-1:10:5"),
            "a logarithmic range cannot go through zero\n  lf=log:-1:10:5\n            ^");
  for (const char* text :
       {"", "=lin:0:1:2", "x", "x=", "x=lin:0:1", "x=lin:0:1:0", "x=lin:0:1:2.5", "x=lin:0:1:1e12",
        "x=lin:1:1:3", "x=list:", "x=list:1,,2", "x=lin:0:nan:3", "x=cubic:0:1:3"})
    EXPECT_NE(refusal(axis_of, text), "") << text;
  for (const char* text : {"d=uniform", "d=uniform(1,2", "d=uniform(2,1)", "d=uniform(1)",
                           "d=normal(0,0)", "d=nrmal(0,1)", "uniform(0,1)", "d=integer(0.5,1)",
                           "d=poisson(-1)", "d=binomial(2.5,0.5)", "d=binomial(2,1.5)"})
    EXPECT_NE(refusal(quantity_of, text), "") << text;
  EXPECT_NE(refusal(quantity_of, "d=nrmal(0,1)").find("'normal'"), std::string::npos);
  for (const char* text :
       {"", "max()", "max(x", "der(x", "max(x))", "max(x) + 1", "max(x) - min(y)", "mix(x)", "x@",
        "x@2s", "@2", "x@e:0", "x@e:2.5", "x@'e", "x@e:"})
    EXPECT_NE(refusal(parse_observable, text), "") << text;
  for (const char* text : {"", "ci(x)<1", "ci(mean(x))<0", "ci(mean(x))<", "ci(mean())<1"})
    EXPECT_NE(refusal(parse_stop_rule, text), "") << text;
}

TEST(Study, TheLastAxisOfASweepChangesFastest) {
  const std::vector<SweepAxis> axes{{"a", {1, 2}}, {"b", {10, 20, 30}}};
  ASSERT_EQ(sweep_size(axes), 6);
  EXPECT_EQ(sweep_values(axes, 0), (std::vector<double>{1, 10}));
  EXPECT_EQ(sweep_values(axes, 2), (std::vector<double>{1, 30}));
  EXPECT_EQ(sweep_values(axes, 3), (std::vector<double>{2, 10}));
}

TEST(Study, QuantilesInterpolate) {
  Summary summary;
  for (const double v : {3.0, 1.0, 2.0, 5.0, 4.0, std::nan("")}) summary.add(v);
  EXPECT_EQ(summary.tally().count(), 5);
  EXPECT_EQ(summary.quantile(0.5), 3);
  EXPECT_EQ(summary.quantile(0.25), 2);
  EXPECT_DOUBLE_EQ(summary.quantile(0.9), 4.6);
}

// x' = -k x: x(t) = exp(-k t); y = sin(t).
class Decay : public HybridSystem {
 public:
  Decay() : HybridSystem("Decay") {
    x_ = declare_state("x", 1);
    k_ = declare_parameter("k", 1);
    y_ = declare_output("y");
  }
  void derivatives(const Point& at, Rates rates) const override { rates[x_] = -at[k_] * at[x_]; }
  void outputs(const Point& at, Outputs y) const override { y[y_] = std::sin(at.t); }

 private:
  StateId x_;
  ParameterId k_;
  OutputId y_;
};

StudyPlan plan(const Decay& model, const std::vector<const char*>& observables) {
  StudyPlan result{model, make_context(model), {}, {"k"}, {}, {}};
  result.options.stop_time = 4;
  result.options.solver = "dopri5";
  result.options.numerics.rtol = 1e-10;
  result.options.numerics.atol = 1e-12;
  for (const char* each : observables) result.observables.push_back(parse_observable(each));
  result.values = [](std::int64_t i) { return std::vector{0.25 * static_cast<double>(i)}; };
  return result;
}

// h'' = -1 from h = 1/2: impacts at 1, and then every 2 e^k.
class Bouncer : public HybridSystem {
 public:
  Bouncer() : HybridSystem("Bouncer") {
    h_ = declare_state("h", 0.5);
    v_ = declare_state("v", 0);
    declare_event("impact", Direction::kFalling);
  }
  void derivatives(const Point& at, Rates rates) const override {
    rates[h_] = at[v_];
    rates[v_] = -1;
  }
  void conditions(const Point& at, Conditions g) const override { g[EventId{0}] = at[h_]; }
  void on_event(EventId, Update& update) const override { update[v_] *= -0.5; }

 private:
  StateId h_, v_;
};

TEST(Observable, ValuesRightOfEventsByTheirNames) {
  const Bouncer model;
  RunOptions options;
  options.stop_time = 2.6;  // after the impacts at 1, 2 and 2.5
  std::vector<Observable> observables;
  for (const char* text :
       {"v@impact", "time@impact:2", "v@'impact':last", "v@impact:4", "v@1", "max(v)"})
    observables.push_back(parse_observable(text));
  RunFunction run(model, make_context(model), options, {}, observables);
  for (int again = 0; again < 2; ++again) {
    const std::vector<double> values = run({}).observables;
    EXPECT_NEAR(values[0], 0.5, 1e-9);
    EXPECT_NEAR(values[1], 2, 1e-9);
    EXPECT_NEAR(values[2], 0.125, 1e-9);
    EXPECT_TRUE(std::isnan(values[3]));
    EXPECT_NEAR(values[5], 0.5, 1e-9);
  }
  EXPECT_THROW(RunFunction(model, make_context(model), options, {}, {parse_observable("v@imp")}),
               UserError);
}

TEST(Observable, HeldRowsAnswerBetweenChanges) {
  // Steps of y: 1 from 0, 3 from 2 on, 7 from 5 on.
  ResultLayout layout;
  layout.columns.push_back({"y", "", ""});
  RunOptions options;
  options.stop_time = 10;
  std::vector<Observable> observables;
  for (const char* text : {"y@1.5", "y@2", "y@9", "mean(y)", "max(y)", "integral(y)", "y@jump:2",
                           "time@jump", "y@jump:last"})
    observables.push_back(parse_observable(text));
  Observer observer(observables, layout, options, Observer::Rows::kHeld);
  const auto row = [&](double t, double y) { observer.row(t, std::vector<double>{y}); };
  const auto jump = [&](double t) {
    EventRecord record;
    record.time = t;
    record.component = "jump";
    observer.event(record);
  };
  observer.begin(layout);
  row(0, 1);
  jump(2);
  row(2, 1);
  row(2, 3);
  jump(5);
  row(5, 3);
  row(5, 7);
  row(10, 7);
  RunResult result;
  result.status.time = 10;
  EXPECT_EQ(observer.values(result), (std::vector<double>{1, 3, 7, 4.6, 7, 46, 7, 2, 7}));
}

TEST(Ensemble, ObservablesAreThoseOfClosedForms) {
  const Decay model;
  const StudyPlan study =
      plan(model, {"x", "x@1.3", "max(y)", "min(y)", "mean(x)", "rms(x)", "integral(x)", "time"});
  std::vector<StudyRow> rows;
  EXPECT_EQ(run_ensemble(9, study_workers(study), {},
                         [&](const StudyRow& row) {
                           rows.push_back(row);
                           return true;
                         }),
            9);
  for (const StudyRow& row : rows) {
    const double k = row.parameters[0];
    EXPECT_NEAR(row.observables[0], std::exp(-4 * k), 1e-9);
    EXPECT_NEAR(row.observables[1], std::exp(-1.3 * k), 1e-9);
    EXPECT_NEAR(row.observables[2], 1, 1e-9);               // between two rows
    EXPECT_NEAR(row.observables[3], std::sin(4.0), 1e-12);  // at the end
    const double area = k == 0 ? 4 : (1 - std::exp(-4 * k)) / k;
    EXPECT_NEAR(row.observables[4], area / 4, 1e-9);
    const double squares = k == 0 ? 4 : (1 - std::exp(-8 * k)) / (2 * k);
    EXPECT_NEAR(row.observables[5], std::sqrt(squares / 4), 1e-9);
    EXPECT_NEAR(row.observables[6], area, 1e-9);
    EXPECT_EQ(row.observables[7], 4);
  }
}

TEST(Observable, PeaksAndIntegralsAreAsExactAsTheSolver) {
  const Decay model;
  RunOptions options;
  options.stop_time = 4;
  options.numerics.rtol = 1e-12;
  options.numerics.atol = 1e-14;
  for (const char* solver : {"dop853", "rodas5p", "cvode-bdf"}) {
    options.solver = solver;
    RunFunction run(
        model, make_context(model), options, {"k"},
        {parse_observable("max(x*(1 - x))"), parse_observable("min(x*(x - 1))"),
         parse_observable("integral(x)"), parse_observable("rms(x)"), parse_observable("max(y)")});
    for (const double k : {0.7, 3.1, 40.0}) {
      const std::vector<double> values = run(std::vector<double>{k}).observables;
      const double tolerance = options.solver == "cvode-bdf" ? 1e-9 : 1e-11;
      EXPECT_NEAR(values[0], 0.25, tolerance) << solver << ' ' << k;
      EXPECT_NEAR(values[1], -0.25, tolerance) << solver << ' ' << k;
      const double integral = -std::expm1(-4 * k) / k;
      EXPECT_NEAR(values[2], integral, tolerance) << solver << ' ' << k;
      EXPECT_NEAR(values[3], std::sqrt(-std::expm1(-8 * k) / (8 * k)), tolerance) << solver;
      EXPECT_NEAR(values[4], 1, 1e-14) << solver << ' ' << k;  // sin(t)
    }
  }
}

TEST(Observable, WhatIsOverBetweenTwoRowsOfTheIntervalCounts) {
  const Decay model;
  RunOptions options;
  options.stop_time = 10;
  options.numerics.rtol = 1e-9;
  RunFunction run(model, make_context(model), options, {"k"},
                  {parse_observable("integral(x)"), parse_observable("rms(x)"),
                   parse_observable("mean(x)"), parse_observable("max(x*(1 - x))")});
  for (const double k : {1.0, 10.0, 100.0, 1e3, 1e4}) {
    const std::vector<double> values = run(std::vector<double>{k}).observables;
    const double integral = -std::expm1(-10 * k) / k;
    EXPECT_NEAR(values[0], integral, 1e-7 * integral) << k;
    const double rms = std::sqrt(-std::expm1(-20 * k) / (20 * k));
    EXPECT_NEAR(values[1], rms, 1e-7 * rms) << k;
    EXPECT_NEAR(values[2], integral / 10, 1e-6 * integral) << k;
    EXPECT_NEAR(values[3], 0.25, 1e-8) << k;
  }
}

TEST(Ensemble, RowsAreTheSameForAnyNumberOfThreads) {
  const Decay model;
  const StudyPlan study = plan(model, {"x", "max(x)"});
  std::vector<std::vector<double>> first;
  for (const int threads : {1, 2, 7}) {
    std::vector<std::vector<double>> rows;
    EnsembleOptions options;
    options.threads = threads;
    run_ensemble(500, study_workers(study), options, [&](const StudyRow& row) {
      EXPECT_EQ(row.index, static_cast<std::int64_t>(rows.size()));
      rows.push_back(row.observables);
      return true;
    });
    if (threads == 1) first = rows;
    EXPECT_EQ(rows, first) << threads;
  }
}

TEST(Ensemble, EndsWhenItIsEnoughAndWhenCancelled) {
  const Decay model;
  const StudyPlan study = plan(model, {"x"});
  int seen = 0;
  EXPECT_EQ(run_ensemble(10'000, study_workers(study), {},
                         [&](const StudyRow&) { return ++seen <= 123; }),
            123);
  std::atomic<bool> cancel = false;
  EnsembleOptions options;
  options.cancel = &cancel;
  std::int64_t last = -1;
  const std::int64_t taken =
      run_ensemble(1'000'000, study_workers(study), options, [&](const StudyRow& row) {
        EXPECT_GT(row.index, last);
        last = row.index;
        if (row.index == 200) cancel = true;
        return true;
      });
  EXPECT_GE(taken, 201);
  EXPECT_LT(taken, 1'000'000);
}

// Cancelled while run 0 is on its way: the others of its chunk and later ones are there.
TEST(Ensemble, GivesAllThatIsDoneAfterCancellation) {
  std::atomic<bool> cancel = false;
  std::atomic<int> done = 0;
  struct Slow final : Worker {
    Slow(std::atomic<bool>& stop, std::atomic<int>& count) : cancel(stop), done(count) {}
    StudyRow run(std::int64_t index) override {
      StudyRow row{index, {}, {}, RunReason::kFinished, {}};
      if (index == 0) {
        while (done < 20) std::this_thread::yield();
        cancel = true;
        row.status = RunReason::kCancelled;
      }
      ++done;
      return row;
    }
    std::atomic<bool>& cancel;
    std::atomic<int>& done;
  };
  EnsembleOptions options;
  options.cancel = &cancel;
  options.threads = 2;
  std::vector<std::int64_t> rows;
  run_ensemble(
      640, [&] { return std::make_unique<Slow>(cancel, done); }, options,
      [&](const StudyRow& row) {
        rows.push_back(row.index);
        return true;
      });
  ASSERT_GE(rows.size(), 20u);
  EXPECT_EQ(rows.size() + 1, static_cast<std::size_t>(done));
  EXPECT_GT(rows[0], 0);
  EXPECT_TRUE(std::ranges::is_sorted(rows));
}

TEST(Ensemble, UnknownNamesAreRefusedBeforeTheFirstRun) {
  const Decay model;
  for (const char* wrong : {"z", "x@5", "max(k)"}) {
    const StudyPlan study = plan(model, {wrong});
    EXPECT_THROW(study_workers(study), UserError) << wrong;
  }
  StudyPlan other = plan(model, {"x"});
  other.names = {"kk"};
  EXPECT_THROW(study_workers(other), UserError);
}

class Failing : public Worker {
 public:
  StudyRow run(std::int64_t index) override {
    if (index == 40) throw IoError("broken");
    return {index, {}, {}, RunReason::kFinished};
  }
};

TEST(Ensemble, AnExceptionComesOutBehindTheRowsBeforeIt) {
  std::int64_t last = -1;
  EXPECT_THROW(run_ensemble(
                   1000, [] { return std::make_unique<Failing>(); }, {},
                   [&](const StudyRow& row) {
                     last = row.index;
                     return true;
                   }),
               IoError);
  EXPECT_EQ(last, 39);
}

TEST(Places, AComplaintAboutAPieceHasItsMarkInTheWholeText) {
  const std::vector<std::string> texts{"max(x),y@2/(zz@2 + 1)", "kind=Fats"};
  EXPECT_EQ(with_whole_text(complaint("there is no 'zz'", "zz@2", 0), texts),
            complaint("there is no 'zz'", texts[0], 12));
  EXPECT_EQ(with_whole_text("'Fats' is no option; did you mean 'Fast'?", texts),
            complaint("'Fats' is no option; did you mean 'Fast'?", texts[1], 5));
  // Parts of longer names are other names.
  for (const std::string& message : {complaint("what", "z", 0), std::string("no 'ind'"),
                                     std::string("nothing quoted"), complaint("x", "kind=Fats", 3)})
    EXPECT_EQ(with_whole_text(message, texts), message);
  const auto read = read_complaint(complaint("two\nlines", "abc", 2));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->what, "two\nlines");
  EXPECT_EQ(read->text, "abc");
  EXPECT_EQ(read->place, 2u);
}

TEST(Noted, FormulasOfSeveralObservablesAreColumns) {
  RunFormulas formulas({"k"});
  for (const char* text : {"max(x) - min(x)", "x@2/y@2", "2*k*x@2", "time"})
    formulas.add(parse_noted(text));
  ASSERT_EQ(formulas.observables().size(), 5u);  // max(x), min(x), x@2, y@2, time
  class Fixed final : public ModelFunction {
    Result operator()(std::span<const double> values) override {
      return {{5, -1, 6, 3, values[0], 77}, RunReason::kZeno, "why"};
    }
  };
  const auto make = with_formulas([] { return std::make_unique<Fixed>(); }, formulas, {"a", "k"});
  const ModelFunction::Result result = (*make())(std::vector<double>{9, 10});
  EXPECT_EQ(result.observables, (std::vector<double>{6, 2, 120, 9, 77}));
  EXPECT_EQ(result.status, RunReason::kZeno);
  EXPECT_EQ(result.message, "why");
  EXPECT_THROW(parse_noted("1 + 2"), UserError);
  EXPECT_THROW(parse_noted("maks(x) + 1"), UserError);
  EXPECT_EQ(parse_noted("odd name").leaves(), std::vector<std::string>{"odd name"});
}

}  // namespace
}  // namespace arges
