#include "arges/flat/units.h"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include <fmt/format.h>

namespace arges {

namespace {

enum Dimension { kMetre, kKilogram, kSecond, kAmpere, kKelvin, kMole, kCandela, kDegC, kDegF };
constexpr std::string_view kSymbols[] = {"m",  "kg",   "s",    "A",     "K", "mol",
                                         "cd", "degC", "degF", "degRk", "dB"};

struct Named {
  std::string_view symbol;
  double factor;
  // Exponents of m, kg, s, A, K, mol, cd.
  int m, kg, s, a, k, mol, cd;
  bool prefixes;
};

constexpr double kDegree = std::numbers::pi / 180;

constexpr Named kUnits[] = {
    {"m", 1, 1, 0, 0, 0, 0, 0, 0, true},
    {"g", 1e-3, 0, 1, 0, 0, 0, 0, 0, true},
    {"s", 1, 0, 0, 1, 0, 0, 0, 0, true},
    {"A", 1, 0, 0, 0, 1, 0, 0, 0, true},
    {"K", 1, 0, 0, 0, 0, 1, 0, 0, true},
    {"mol", 1, 0, 0, 0, 0, 0, 1, 0, true},
    {"cd", 1, 0, 0, 0, 0, 0, 0, 1, true},
    {"rad", 1, 0, 0, 0, 0, 0, 0, 0, true},
    {"sr", 1, 0, 0, 0, 0, 0, 0, 0, true},
    {"Hz", 1, 0, 0, -1, 0, 0, 0, 0, true},
    {"N", 1, 1, 1, -2, 0, 0, 0, 0, true},
    {"Pa", 1, -1, 1, -2, 0, 0, 0, 0, true},
    {"J", 1, 2, 1, -2, 0, 0, 0, 0, true},
    {"W", 1, 2, 1, -3, 0, 0, 0, 0, true},
    {"C", 1, 0, 0, 1, 1, 0, 0, 0, true},
    {"V", 1, 2, 1, -3, -1, 0, 0, 0, true},
    {"F", 1, -2, -1, 4, 2, 0, 0, 0, true},
    {"Ohm", 1, 2, 1, -3, -2, 0, 0, 0, true},
    {"S", 1, -2, -1, 3, 2, 0, 0, 0, true},
    {"Wb", 1, 2, 1, -2, -1, 0, 0, 0, true},
    {"T", 1, 0, 1, -2, -1, 0, 0, 0, true},
    {"H", 1, 2, 1, -2, -2, 0, 0, 0, true},
    {"lm", 1, 0, 0, 0, 0, 0, 0, 1, true},
    {"lx", 1, -2, 0, 0, 0, 0, 0, 1, true},
    {"Bq", 1, 0, 0, -1, 0, 0, 0, 0, true},
    {"Gy", 1, 2, 0, -2, 0, 0, 0, 0, true},
    {"Sv", 1, 2, 0, -2, 0, 0, 0, 0, true},
    {"kat", 1, 0, 0, -1, 0, 0, 1, 0, true},
    {"l", 1e-3, 3, 0, 0, 0, 0, 0, 0, true},
    {"L", 1e-3, 3, 0, 0, 0, 0, 0, 0, true},
    {"t", 1e3, 0, 1, 0, 0, 0, 0, 0, true},
    {"bar", 1e5, -1, 1, -2, 0, 0, 0, 0, true},
    {"eV", 1.602176634e-19, 2, 1, -2, 0, 0, 0, 0, true},
    {"var", 1, 2, 1, -3, 0, 0, 0, 0, true},
    {"min", 60, 0, 0, 1, 0, 0, 0, 0, false},
    {"h", 3600, 0, 0, 1, 0, 0, 0, 0, false},
    {"d", 86400, 0, 0, 1, 0, 0, 0, 0, false},
    {"deg", kDegree, 0, 0, 0, 0, 0, 0, 0, false},
    {"rev", 2 * std::numbers::pi, 0, 0, 0, 0, 0, 0, 0, false},
    {"rpm", std::numbers::pi / 30, 0, 0, -1, 0, 0, 0, 0, false},
    {"ha", 1e4, 2, 0, 0, 0, 0, 0, 0, false},
    {"u", 1.66053906660e-27, 0, 1, 0, 0, 0, 0, 0, false},
    {"atm", 101325, -1, 1, -2, 0, 0, 0, 0, false},
    {"ft", 0.3048, 1, 0, 0, 0, 0, 0, 0, false},
    {"in", 0.0254, 1, 0, 0, 0, 0, 0, 0, false},
    {"lb", 0.45359237, 0, 1, 0, 0, 0, 0, 0, false},
    {"%", 1e-2, 0, 0, 0, 0, 0, 0, 0, false},
    {"ppm", 1e-6, 0, 0, 0, 0, 0, 0, 0, false},
};

struct Prefix {
  std::string_view symbol;
  double factor;
};
constexpr Prefix kPrefixes[] = {
    {"da", 1e1}, {"Y", 1e24},  {"Z", 1e21},  {"E", 1e18},  {"P", 1e15},  {"T", 1e12}, {"G", 1e9},
    {"M", 1e6},  {"k", 1e3},   {"h", 1e2},   {"d", 1e-1},  {"c", 1e-2},  {"m", 1e-3}, {"u", 1e-6},
    {"n", 1e-9}, {"p", 1e-12}, {"f", 1e-15}, {"a", 1e-18}, {"z", 1e-21}, {"y", 1e-24}};

Unit unit_of(const Named& n, double factor) {
  Unit u;
  u.factor = n.factor * factor;
  const int e[] = {n.m, n.kg, n.s, n.a, n.k, n.mol, n.cd};
  for (int i = 0; i < 7; ++i) u.exponents[static_cast<std::size_t>(i)] = e[i] * Unit::kOne;
  return u;
}

// A symbol with or without prefix. Symbols go before: "min" is a minute, not milli-inch.
std::optional<Unit> symbol(std::string_view text) {
  for (std::size_t i = kDegC; i < std::size(kSymbols); ++i) {
    if (text == kSymbols[i]) {
      Unit u;
      u.exponents[i] = Unit::kOne;
      return u;
    }
  }
  for (const Named& n : kUnits) {
    if (n.symbol == text) return unit_of(n, 1);
  }
  for (const Prefix& p : kPrefixes) {
    if (!text.starts_with(p.symbol)) continue;
    for (const Named& n : kUnits) {
      if (n.prefixes && n.symbol == text.substr(p.symbol.size())) return unit_of(n, p.factor);
    }
  }
  return std::nullopt;
}

class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : text_(text) {}

  std::optional<Unit> run() {
    const std::optional<Unit> u = expression();
    return u && at_ == text_.size() ? u : std::nullopt;
  }

 private:
  bool take(char c) {
    if (at_ < text_.size() && text_[at_] == c) return ++at_, true;
    return false;
  }

  // numerator [/ denominator]
  std::optional<Unit> expression() {
    std::optional<Unit> u = product();
    if (!u || !take('/')) return u;
    const std::optional<Unit> below = factor();
    return below ? std::optional<Unit>(*u / *below) : std::nullopt;
  }

  std::optional<Unit> product() {
    std::optional<Unit> u = factor();
    while (u && take('.')) {
      const std::optional<Unit> next = factor();
      if (!next) return std::nullopt;
      u = *u * *next;
    }
    return u;
  }

  std::optional<Unit> factor() {
    if (take('(')) {
      std::optional<Unit> u = nesting_++ < 20 ? expression() : std::nullopt;
      return u && take(')') ? u : std::nullopt;
    }
    if (take('1')) return Unit();
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (std::isalpha(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '%')) {
      ++at_;
    }
    std::optional<Unit> u = symbol(text_.substr(begin, at_ - begin));
    if (!u) return std::nullopt;
    // m2, s-1, K0
    const std::size_t digits = at_;
    if (at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+')) ++at_;
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    if (at_ == digits) return u;
    const int exponent = std::atoi(std::string(text_.substr(digits, at_ - digits)).c_str());
    if (std::abs(exponent) > 100) return std::nullopt;
    return power(*u, exponent);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int nesting_ = 0;
};

}  // namespace

bool Unit::is_dimensionless() const {
  for (const int e : exponents) {
    if (e != 0) return false;
  }
  return true;
}

bool compatible(const Unit& a, const Unit& b) {
  if (!same_dimension(a, b)) return false;
  // Numbers and angles in whatever measure are taken for one another.
  if (a.any_factor || b.any_factor || a.is_dimensionless()) return true;
  return std::abs(a.factor - b.factor) <= 1e-9 * std::abs(a.factor);
}

Unit operator*(const Unit& a, const Unit& b) {
  Unit u;
  for (std::size_t i = 0; i < u.exponents.size(); ++i) {
    u.exponents[i] = a.exponents[i] + b.exponents[i];
  }
  u.factor = a.factor * b.factor;
  u.any_factor = a.any_factor || b.any_factor;
  return u;
}

Unit operator/(const Unit& a, const Unit& b) {
  Unit inverse = b;
  for (int& e : inverse.exponents) e = -e;
  inverse.factor = 1 / b.factor;
  return a * inverse;
}

std::optional<Unit> power(const Unit& u, double exponent) {
  Unit out = u;
  for (int& e : out.exponents) {
    const double product = e * exponent;
    if (std::abs(product) > 1e6 || std::abs(product - std::round(product)) > 1e-9) {
      return std::nullopt;
    }
    e = static_cast<int>(std::round(product));
  }
  out.factor = std::pow(u.factor, exponent);
  return out;
}

std::optional<Unit> parse_unit(std::string_view text) { return UnitParser(text).run(); }

std::string to_string(const Unit& u) {
  std::string above;
  std::string below;
  int parts_below = 0;
  for (std::size_t i = 0; i < u.exponents.size(); ++i) {
    const int e = u.exponents[i];
    if (e == 0) continue;
    std::string& to = e > 0 ? above : below;
    if (e < 0) ++parts_below;
    if (!to.empty()) to += ".";
    to += kSymbols[i];
    const int size = std::abs(e);
    if (size % Unit::kOne != 0) {
      to += fmt::format("^({}/{})", size, Unit::kOne);
    } else if (size != Unit::kOne) {
      to += std::to_string(size / Unit::kOne);
    }
  }
  if (above.empty()) above = "1";
  if (parts_below > 1) below = "(" + below + ")";
  std::string out = below.empty() ? above : above + "/" + below;
  if (!u.any_factor && std::abs(u.factor - 1) > 1e-9 && !u.is_dimensionless()) {
    out = fmt::format("{:.6g} {}", u.factor, out);
  }
  return out;
}

}  // namespace arges
