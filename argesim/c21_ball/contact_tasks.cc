#include "argesim/c21_ball/contact_tasks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "argesim/c21_ball/contact_reference.h"
#include "argesim/common/experiment.h"

namespace arges::argesim {

namespace {

using enum ReferenceSource;

// In flight the deformation relaxes with k/d = 2000 1/s and more, and it is not seen: an implicit
// method does not have to follow it.
constexpr const char* kSolver = "rodas5p";
constexpr double kRtol = 1e-12;
constexpr double kDigits = 1e-9;  // relative

std::unique_ptr<HybridSystem> contact_model() {
  return text_model("argesim/c21_ball/DynamicContact.mo");
}

// Heights before each contact, largest deformations, and the times at which contacts begin. The
// deformation is largest when the ball turns in contact; after the last contact it turns for ever.
std::vector<c21::Contact> contacts_of(const Recording& result) {
  const std::vector<double> begins = result.change_times("contacts");
  const std::vector<double> apexes = result.change_times("rising", 0);
  const std::vector<double> deepest = result.change_times("rising", 1);
  std::vector<c21::Contact> contacts;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const double apex = i == 0 ? 0 : apexes.at(i - 1);
    contacts.push_back(
        {result.value_at(apex, "x"), result.value_at(deepest.at(i), "w"), begins[i]});
  }
  return contacts;
}

void compare(BenchmarkReport& report, const c21::Contact& computed, const c21::Contact& expected,
             int number) {
  report.compare(fmt::format("height before contact {}", number), computed.height, expected.height,
                 kDigits * std::abs(expected.height), kReference);
  report.compare(fmt::format("largest deformation in contact {}", number), computed.deformation,
                 expected.deformation, kDigits * expected.deformation, kReference);
  report.compare(fmt::format("contact {}", number), computed.t, expected.t, kDigits * expected.t,
                 kReference);
}

void task_2(const HybridSystem& model, BenchmarkReport& report) {
  report.begin_task("2.2.2", "Dynamic contact: dependence on the algorithm");
  std::vector<std::vector<std::string>> rows = {
      {"solver", "rtol", "largest error of 10 contact times in s", "steps", "evaluations"}};
  for (const char* solver :
       {"rodas5p", "dopri5", "tsit5", "dop853", "cvode-bdf", "cvode-adams", "arkode-dirk"}) {
    for (const double rtol : {1e-6, 1e-9, 1e-12}) {
      const Recording result = run(model, options(solver, rtol, 5));
      const std::vector<double> times = result.change_times("contacts");
      double worst = 0;
      for (std::size_t i = 0; i < std::min(times.size(), c21::kContacts.size()); ++i)
        worst = std::max(worst, std::abs(times[i] - c21::kContacts[i].t));
      const bool complete = times.size() == c21::kContacts.size();
      rows.push_back({solver, fmt::format("{:g}", rtol),
                      complete ? fmt::format("{:.2g}", worst)
                               : fmt::format("{:.2g} ({} contacts)", worst, times.size()),
                      std::to_string(result.result.statistics.steps),
                      std::to_string(result.result.statistics.rhs)});
      if (rtol > 1e-12) continue;
      report.compare(fmt::format("number of contacts, {}", solver),
                     static_cast<double>(times.size()), c21::kContacts.size(), 0, kReference);
      report.compare(fmt::format("largest error of 10 contacts, {}", solver), worst, 0, kDigits,
                     kReference);
    }
  }
  report.table("The same run with several methods and tolerances.", std::move(rows));
}

plot::Figure contact_figure(const Recording& near) {
  std::vector<double> t = near.trajectory.times;
  for (double& each : t) each = (each - c21::kContacts[0].t) * 1e3;
  const auto in_mm = [&](const char* name) {
    std::vector<double> values = near.trajectory.values_of(name);
    for (double& each : values) each *= 1e3;
    return values;
  };
  plot::Figure figure = plot::make_stack("The first contact", {"t - t_{contact}", "ms"},
                                         {{"x, w", "mm"}, {"v", "m/s"}});
  figure.panels[0].add(plot::line(t, in_mm("x"), "x"));
  figure.panels[0].add(plot::line(t, in_mm("w"), "w"));
  figure.panels[1].add(plot::line(t, near.trajectory.values_of("v")));
  for (plot::Panel& panel : figure.panels) {
    panel.x.lower = -1;
    panel.x.upper = 5;
    panel.events = {{0}, {(c21::kRelease - c21::kContacts[0].t) * 1e3}};
  }
  figure.panels[0].y.lower = -15;
  figure.panels[0].y.upper = 15;
  return figure;
}

void task_3(const HybridSystem& model, BenchmarkReport& report) {
  report.begin_task("2.2.3", "Dynamic contact: heights and deformations");
  const Recording result = run(model, options(kSolver, kRtol, 5));
  const std::vector<c21::Contact> contacts = contacts_of(result);
  for (std::size_t i = 0; i < c21::kContacts.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    compare(report, contacts.at(i), c21::kContacts[i], number);
    // The published run differs from the closed form by some 1e-11 m.
    report.compare(fmt::format("height before contact {}", number), contacts.at(i).height,
                   c21::kPublishedHeights[i], 5e-11, kPublished);
    report.compare(fmt::format("largest deformation in contact {}, mm", number),
                   contacts.at(i).deformation * 1e3, c21::kPublishedDeformations[i], 0.51e-8,
                   kPublished);
  }
  report.compare("end of the first contact", result.change_times("contact", 0).at(0), c21::kRelease,
                 kDigits, kReference);
  report.compare("number of contacts", static_cast<double>(contacts.size()), c21::kContacts.size(),
                 0, kReference);
  report.compare("position at rest, -g/k", result.final("x"), -9.81e-6, 1e-14, kReference);
  RunOptions fine = options(kSolver, 1e-9, 1.44);
  fine.start_time = 0;
  fine.interval = 2e-5;
  report.figure("c21-contact", "Position, deformation and velocity around the first contact.",
                contact_figure(run(model, fine)));
  report.text(
      "A second table that was published for this task (2.49466100656, 0.63276017545, ...) belongs "
      "to a model with drag in contact, too. That is a difference of models.");
}

void task_4(const HybridSystem& model, BenchmarkReport& report) {
  report.begin_task("2.2.4", "Dynamic contact: parameter study");
  plot::Figure figure =
      plot::make_figure("Heights of the rebounds", {"contact"}, plot::log_axis("height", "m"));
  figure.panel().legend = plot::LegendPlace::kOutside;
  for (const c21::Study& study : c21::kStudy) {
    const Recording result =
        run(model, options(kSolver, kRtol, 36), {{"k", study.k}, {"d", study.d}});
    const std::vector<c21::Contact> contacts = contacts_of(result);
    const std::string name = fmt::format("k = {:g}, d = {:g}", study.k, study.d);
    report.compare("number of contacts, " + name, static_cast<double>(contacts.size()),
                   study.contacts, 0, kReference);
    report.compare("last contact, " + name, contacts.back().t, study.t_last, kDigits * study.t_last,
                   kReference);
    if (contacts.size() > 1) {
      report.compare("first rebound, " + name, contacts[1].height, study.second_height,
                     kDigits * study.second_height, kReference);
    }
    std::vector<double> number, height;
    for (const c21::Contact& contact : contacts) {
      if (contact.height <= 0) continue;
      number.push_back(static_cast<double>(number.size() + 1));
      height.push_back(contact.height);
    }
    figure.panel().add(plot::points(number, height, name));
  }
  report.figure("c21-study", "Height before each contact, for other stiffness or damping.",
                std::move(figure));
  report.text(
      "What matters is the damping ratio d/(2 sqrt(k)): above one the ball does not oscillate in "
      "contact, but it may still leave the floor once (d = 5000), because the floor does not "
      "pull.");
}

void task_5(const HybridSystem& model, BenchmarkReport& report) {
  report.begin_task("2.2.5", "Dynamic contact on Mars");
  const Recording result =
      run(model, options(kSolver, kRtol, 8), {{"g", c21::kMarsGravity}, {"beta", c21::kMarsDrag}});
  const std::vector<c21::Contact> contacts = contacts_of(result);
  report.compare("number of contacts", static_cast<double>(contacts.size()), c21::kMars.size(), 0,
                 kReference);
  // The last flight does not even reach the height 0: no digits are asked of it.
  for (std::size_t i = 0; i + 1 < c21::kMars.size(); ++i)
    compare(report, contacts.at(i), c21::kMars[i], static_cast<int>(i) + 1);
  report.compare("contact 11", contacts.at(10).t, c21::kMars[10].t, kDigits * c21::kMars[10].t,
                 kReference);
  report.compare("first contact", contacts.at(0).t, c21::kMarsFirstContact, 5e-5, kPublished);
  report.compare("fourth maximum", result.change_times("rising", 0).at(2), c21::kMarsFourthMaximum,
                 5e-4, kPublished);
}

}  // namespace

void contact_tasks(BenchmarkReport& report) {
  const auto model = contact_model();
  task_2(*model, report);
  task_3(*model, report);
  task_4(*model, report);
  task_5(*model, report);
}

}  // namespace arges::argesim
