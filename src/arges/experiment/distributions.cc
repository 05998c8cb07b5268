// Quantities and their distributions, as a user writes them.

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "arges/base/nearest.h"
#include "arges/experiment/specification.h"
#include "arges/experiment/specification_pieces.h"

namespace arges {

namespace {

// A distribution: how many parameters, which of them are allowed, how to draw.
struct Distribution {
  const char* name;
  const char* parameters;
  std::size_t count;
  bool (*allowed)(const double* p);
  double (*draw)(random::Stream& stream, const double* p);
};

const Distribution kDistributions[] = {
    {"uniform", "low, high", 2, [](const double* p) { return p[0] < p[1]; },
     [](random::Stream& s, const double* p) { return s.uniform(p[0], p[1]); }},
    {"normal", "mean, deviation > 0", 2, [](const double* p) { return p[1] > 0; },
     [](random::Stream& s, const double* p) { return s.normal(p[0], p[1]); }},
    {"lognormal", "log mean, log deviation > 0", 2, [](const double* p) { return p[1] > 0; },
     [](random::Stream& s, const double* p) { return s.lognormal(p[0], p[1]); }},
    {"triangular", "low, mode, high", 3,
     [](const double* p) { return p[0] <= p[1] && p[1] <= p[2] && p[0] < p[2]; },
     [](random::Stream& s, const double* p) { return s.triangular(p[0], p[1], p[2]); }},
    {"exponential", "mean > 0", 1, [](const double* p) { return p[0] > 0; },
     [](random::Stream& s, const double* p) { return s.exponential(p[0]); }},
    {"weibull", "shape > 0, scale > 0", 2, [](const double* p) { return p[0] > 0 && p[1] > 0; },
     [](random::Stream& s, const double* p) { return s.weibull(p[0], p[1]); }},
    {"gamma", "shape > 0, scale > 0", 2, [](const double* p) { return p[0] > 0 && p[1] > 0; },
     [](random::Stream& s, const double* p) { return s.gamma(p[0], p[1]); }},
    {"beta", "a > 0, b > 0", 2, [](const double* p) { return p[0] > 0 && p[1] > 0; },
     [](random::Stream& s, const double* p) { return s.beta(p[0], p[1]); }},
    {"integer", "low, high (whole numbers)", 2,
     [](const double* p) {
       return p[0] <= p[1] && p[0] == std::floor(p[0]) && p[1] == std::floor(p[1]) &&
              std::abs(p[0]) < 9e15 && std::abs(p[1]) < 9e15;
     },
     [](random::Stream& s, const double* p) {
       return static_cast<double>(
           s.integer(static_cast<std::int64_t>(p[0]), static_cast<std::int64_t>(p[1])));
     }},
    {"poisson", "mean, 0 < mean <= 1e15", 1,
     [](const double* p) { return p[0] > 0 && p[0] <= 1e15; },
     [](random::Stream& s, const double* p) { return static_cast<double>(s.poisson(p[0])); }},
    {"binomial", "trials (a whole number), 0 <= p <= 1", 2,
     [](const double* p) {
       return p[0] >= 0 && p[0] <= 1e15 && p[0] == std::floor(p[0]) && p[1] >= 0 && p[1] <= 1;
     },
     [](random::Stream& s, const double* p) {
       return static_cast<double>(s.binomial(static_cast<std::int64_t>(p[0]), p[1]));
     }},
    {"bernoulli", "0 <= p <= 1", 1, [](const double* p) { return p[0] >= 0 && p[0] <= 1; },
     [](random::Stream& s, const double* p) { return s.bernoulli(p[0]) ? 1.0 : 0.0; }},
};

}  // namespace

RandomQuantity parse_random(const std::string& text, ListWords words) {
  RandomQuantity quantity;
  const std::size_t begin = take_name(text, "d=uniform(800,1200)", quantity.name);
  quantity.distribution = without_blanks(text, begin, text.size()).text;
  const std::size_t open = text.find('(', begin), end = begin + quantity.distribution.size();
  const Piece kind = without_blanks(text, begin, std::min(open, end));
  const std::string& name = kind.text;
  const bool is_closed = open != std::string::npos && quantity.distribution.ends_with(")");
  if (name == "list" && is_closed) {
    ListItems items =
        read_list(text, split_items(text, open + 1, end - 1), words == ListWords::kAllowed);
    quantity.words = std::move(items.words);
    quantity.draw = [values = std::move(items.values)](random::Stream& stream) {
      return values[static_cast<std::size_t>(
          stream.integer(0, static_cast<std::int64_t>(values.size()) - 1))];
    };
    return quantity;
  }
  const auto* found = std::ranges::find(kDistributions, name, &Distribution::name);
  if (found == std::end(kDistributions)) {
    std::vector<std::string> known;
    for (const Distribution& each : kDistributions) known.emplace_back(each.name);
    known.emplace_back("list");
    refuse_text(fmt::format("there is no distribution '{}'{}", name, did_you_mean(name, known)),
                text, begin);
  }
  const Distribution& distribution = *found;
  if (!is_closed) {
    refuse_text(
        fmt::format("{}({}) needs its parameters in parentheses", name, distribution.parameters),
        text, text.size());
  }
  std::vector<double> parameters;
  for (const Piece& piece : split_at(',', text, open + 1, end - 1))
    parameters.push_back(number_in(text, piece));
  if (parameters.size() != distribution.count || !distribution.allowed(parameters.data()))
    refuse_text(fmt::format("the parameters are {}({})", name, distribution.parameters), text,
                open + 1);
  quantity.draw = [&distribution, parameters](random::Stream& stream) {
    return distribution.draw(stream, parameters.data());
  };
  return quantity;
}

}  // namespace arges
