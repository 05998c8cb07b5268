// ModelicaStandardTables_*.

#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/external/registry.h"
#include "arges/external/surface.h"
#include "arges/external/table_file.h"
#include "arges/external/time_table.h"

namespace arges::external {

namespace {

struct TimeTableObject final : Object {
  explicit TimeTableObject(TimeTable t) : table(std::move(t)) {}
  TimeTable table;
};

struct CurvesObject final : Object {
  std::vector<Curve> curves;
  Extrapolation extrapolation = Extrapolation::kLastTwoPoints;
};

struct SurfaceObject final : Object {
  SurfaceObject(Surface s, Extrapolation e) : surface(std::move(s)), extrapolation(e) {}
  Surface surface;
  Extrapolation extrapolation;
};

// Arguments 0 to 4: file name, table name, table, its rows and columns. A name of a file or a table
// that is not blank or "NoName" means the file.
Matrix table_of(const Call& call, std::size_t delimiter, std::size_t header_lines) {
  const auto is_given = [](const std::string& name) {
    return name != "NoName" && name.find_first_not_of(" \t\n\r") != std::string::npos;
  };
  const std::string& file = call.text(0);
  const std::string& name = call.text(1);
  if (is_given(file)) {
    const std::string d = delimiter < call.size() ? call.text(delimiter) : ",";
    const int skip = header_lines < call.size() ? call.integer(header_lines) : 0;
    try {
      return read_matrix(file, name, d.empty() ? ',' : d[0], skip);
    } catch (const IoError& error) {
      throw EvaluationError(error.what(), false);
    }
  }
  if (is_given(name)) {
    throw EvaluationError(
        fmt::format("table '{}' has no file name; tables of a function 'usertab' are not supported",
                    name),
        false);
  }
  const int rows = call.rows(2), columns = call.columns(2);
  return {rows, columns, {call.array(2), call.array(2) + std::ptrdiff_t{rows} * columns}};
}

std::vector<double> column_of(const Matrix& m, int j) {
  std::vector<double> column;
  for (int i = 0; i < m.rows; ++i)
    column.push_back(m.values[static_cast<std::size_t>(i * m.columns + j)]);
  return column;
}

std::vector<std::vector<double>> columns_of(const Matrix& m, const Call& call, std::size_t at) {
  if (m.rows < 1 || m.columns < 1) {
    throw EvaluationError(
        fmt::format("a table of {} x {} numbers cannot be interpolated", m.rows, m.columns), false);
  }
  std::vector<std::vector<double>> list;
  for (int k = 0; k < call.count(at); ++k) {
    const double j = call.array(at)[k];
    if (!(j >= 1 && j <= m.columns)) {
      throw EvaluationError(
          fmt::format("column {} of a table with {} columns is asked for", j, m.columns), false);
    }
    list.push_back(column_of(m, static_cast<int>(j) - 1));
  }
  return list;
}

void check_ascending(const std::vector<double>& x, std::string_view what) {
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    if (x[i + 1] > x[i]) continue;
    throw EvaluationError(fmt::format("the {} of a table must strictly ascend: {:.9g} is followed "
                                      "by {:.9g}",
                                      what, x[i], x[i + 1]),
                          false);
  }
}

void time_table(const Call& call) {
  call.result(call.environment().find_or_add(call.key(), [&] {
    const Matrix m = table_of(call, 13, 14);
    const auto columns = columns_of(m, call, 6);
    TimeTable::Settings s;
    s.start = call.real(5);
    s.smoothness = static_cast<Smoothness>(call.integer(8));
    s.extrapolation = static_cast<Extrapolation>(call.integer(9));
    if (call.size() > 10) s.shift = call.real(10);
    if (call.size() > 11) s.events = static_cast<TimeEvents>(call.integer(11));
    return std::make_unique<TimeTableObject>(TimeTable(column_of(m, 0), columns, s));
  }));
}

Jet time_table_jet(const Call& call) {
  return call.object<TimeTableObject>(0).table.at(call.integer(1), call.real(2), call.real(3),
                                                  call.real(4));
}

void curves(const Call& call) {
  call.result(call.environment().find_or_add(call.key(), [&] {
    const Matrix m = table_of(call, 10, 11);
    auto made = std::make_unique<CurvesObject>();
    const std::vector<double> x = column_of(m, 0);
    check_ascending(x, "abscissae");
    for (auto& y : columns_of(m, call, 5))
      made->curves.emplace_back(x, std::move(y), static_cast<Smoothness>(call.integer(7)));
    if (call.size() > 8) made->extrapolation = static_cast<Extrapolation>(call.integer(8));
    return made;
  }));
}

Jet curve_jet(const Call& call) {
  const auto& c = call.object<CurvesObject>(0);
  return c.curves.at(static_cast<std::size_t>(call.integer(1)) - 1)
      .at(call.real(2), c.extrapolation);
}

void surface(const Call& call) {
  call.result(call.environment().find_or_add(call.key(), [&] {
    const Matrix m = table_of(call, 8, 9);
    if (m.rows < 2 || m.columns < 2) {
      throw EvaluationError(
          fmt::format("a table of two variables needs 2 x 2 numbers at least, not {} x {}", m.rows,
                      m.columns),
          false);
    }
    const auto smoothness = static_cast<Smoothness>(call.integer(5));
    if (smoothness > Smoothness::kConstant) {
      throw EvaluationError(
          "tables of two variables have no monotone or modified Akima interpolation", false);
    }
    std::vector<double> x = column_of(m, 0), y(m.values.begin() + 1, m.values.begin() + m.columns);
    x.erase(x.begin());
    check_ascending(x, "rows");
    check_ascending(y, "columns");
    std::vector<double> z;
    for (int i = 1; i < m.rows; ++i) {
      for (int j = 1; j < m.columns; ++j)
        z.push_back(m.values[static_cast<std::size_t>(i * m.columns + j)]);
    }
    return std::make_unique<SurfaceObject>(
        Surface(std::move(x), std::move(y), std::move(z), smoothness),
        call.size() > 6 ? static_cast<Extrapolation>(call.integer(6))
                        : Extrapolation::kLastTwoPoints);
  }));
}

SurfaceJet surface_jet(const Call& call) {
  const auto& s = call.object<SurfaceObject>(0);
  return s.surface.at(call.real(1), call.real(2), s.extrapolation);
}

void nothing(const Call&) {}

// d2/dt2 of f(u(t)).
double second(const Jet& j, double du, double ddu) { return j.second * du * du + j.first * ddu; }

const Entry kTable[] = {
    {"ModelicaStandardTables_CombiTimeTable_init2", 13, time_table},
    {"ModelicaStandardTables_CombiTimeTable_init3", 15, time_table},
    {"ModelicaStandardTables_CombiTimeTable_close", 1, nothing},
    {"ModelicaStandardTables_CombiTimeTable_getValue", 5,
     [](const Call& c) { c.result(time_table_jet(c).value); }},
    {"ModelicaStandardTables_CombiTimeTable_getDerValue", 6,
     [](const Call& c) { c.result(time_table_jet(c).first * c.real(5)); }},
    {"ModelicaStandardTables_CombiTimeTable_getDer2Value", 7,
     [](const Call& c) { c.result(second(time_table_jet(c), c.real(5), c.real(6))); }},
    {"ModelicaStandardTables_CombiTimeTable_minimumTime", 1,
     [](const Call& c) { c.result(c.object<TimeTableObject>(0).table.front()); }},
    {"ModelicaStandardTables_CombiTimeTable_maximumTime", 1,
     [](const Call& c) { c.result(c.object<TimeTableObject>(0).table.back()); }},
    {"ModelicaStandardTables_CombiTimeTable_nextTimeEvent", 2,
     [](const Call& c) { c.result(c.object<TimeTableObject>(0).table.next_event(c.real(1))); }},
    {"ModelicaStandardTables_CombiTimeTable_read", 3, [](const Call& c) { c.result(1); }},
    {"ModelicaStandardTables_CombiTable1D_init2", 10, curves},
    {"ModelicaStandardTables_CombiTable1D_init3", 12, curves},
    {"ModelicaStandardTables_CombiTable1D_close", 1, nothing},
    {"ModelicaStandardTables_CombiTable1D_getValue", 3,
     [](const Call& c) { c.result(curve_jet(c).value); }},
    {"ModelicaStandardTables_CombiTable1D_getDerValue", 4,
     [](const Call& c) { c.result(curve_jet(c).first * c.real(3)); }},
    {"ModelicaStandardTables_CombiTable1D_getDer2Value", 5,
     [](const Call& c) { c.result(second(curve_jet(c), c.real(3), c.real(4))); }},
    {"ModelicaStandardTables_CombiTable1D_minimumAbscissa", 1,
     [](const Call& c) { c.result(c.object<CurvesObject>(0).curves.at(0).front()); }},
    {"ModelicaStandardTables_CombiTable1D_maximumAbscissa", 1,
     [](const Call& c) { c.result(c.object<CurvesObject>(0).curves.at(0).back()); }},
    {"ModelicaStandardTables_CombiTable1D_read", 3, [](const Call& c) { c.result(1); }},
    {"ModelicaStandardTables_CombiTable2D_init2", 8, surface},
    {"ModelicaStandardTables_CombiTable2D_init3", 10, surface},
    {"ModelicaStandardTables_CombiTable2D_close", 1, nothing},
    {"ModelicaStandardTables_CombiTable2D_getValue", 3,
     [](const Call& c) { c.result(surface_jet(c).z); }},
    {"ModelicaStandardTables_CombiTable2D_getDerValue", 5,
     [](const Call& c) {
       const SurfaceJet j = surface_jet(c);
       c.result(j.z1 * c.real(3) + j.z2 * c.real(4));
     }},
    {"ModelicaStandardTables_CombiTable2D_getDer2Value", 7,
     [](const Call& c) {
       const SurfaceJet j = surface_jet(c);
       const double d1 = c.real(3), d2 = c.real(4);
       c.result(j.z11 * d1 * d1 + 2 * j.z12 * d1 * d2 + j.z22 * d2 * d2 + j.z1 * c.real(5) +
                j.z2 * c.real(6));
     }},
    {"ModelicaStandardTables_CombiTable2D_minimumAbscissa", 2,
     [](const Call& c) {
       for (int k = 0; k < 2; ++k) c.array(1)[k] = c.object<SurfaceObject>(0).surface.front(k + 1);
     }},
    {"ModelicaStandardTables_CombiTable2D_maximumAbscissa", 2,
     [](const Call& c) {
       for (int k = 0; k < 2; ++k) c.array(1)[k] = c.object<SurfaceObject>(0).surface.back(k + 1);
     }},
    {"ModelicaStandardTables_CombiTable2D_read", 3, [](const Call& c) { c.result(1); }},
};

}  // namespace

std::span<const Entry> table_functions() { return kTable; }

}  // namespace arges::external
