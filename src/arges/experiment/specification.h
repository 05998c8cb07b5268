#pragma once
// What a study varies, as a user writes it.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arges/experiment/search.h"
#include "arges/random/stream.h"

namespace arges {

// A quantity and the values that it takes, one after another.
struct SweepAxis {
  std::string name;
  std::vector<double> values;
  bool logarithmic = false;          // evenly on a logarithmic scale
  std::vector<std::string> words{};  // not empty: the values are positions in these
};

// Whether items of a list may be what is no number: "list:Wall.open,Wall.closed".
enum class ListWords { kRefused, kAllowed };

// "lf=log:100:10000:9" (9 values, evenly on a logarithmic scale, both ends included),
// "x=lin:0:1:11", "kr=list:0.5,1,2". Throws UserError with the place in the text.
SweepAxis parse_axis(const std::string& text, ListWords words = ListWords::kRefused);

// A quantity and its distribution.
struct RandomQuantity {
  std::string name;
  std::string distribution;  // as written
  std::function<double(random::Stream&)> draw;
  std::vector<std::string> words{};  // not empty: what is drawn are positions in these
};

// "d=uniform(800,1200)"; also normal(mean, deviation), lognormal(log mean, log deviation),
// triangular(low, mode, high), exponential(mean), weibull(shape, scale), gamma(shape, scale),
// beta(a, b), integer(low, high), poisson(mean), bernoulli(p), list(a, b, ...): one of these, each
// as often. Throws UserError with the place.
RandomQuantity parse_random(const std::string& text, ListWords words = ListWords::kRefused);

// "v0=0:10", "k=log:0.001:1000" (searched on a logarithmic scale), "n=int:1:20" (whole numbers);
// each may end with a first guess, as in "v0=0:10@4". Throws UserError with the place.
SearchVariable parse_search_variable(const std::string& text);

// "what is wrong", with the text and a mark below the character at `place`. For UserError.
std::string complaint(const std::string& what, std::string_view text, std::size_t place);
struct Complaint {
  std::string what, text;
  std::size_t place;
};
// Of a message that complaint() made.
std::optional<Complaint> read_complaint(const std::string& message);
// The words that a message has in single quotes, in their order.
std::vector<std::string> quoted_words(const std::string& message);
// Where a text has this piece, not as a part of a longer name; npos when it does not.
std::size_t find_piece(std::string_view text, std::string_view piece);
// A complaint about a piece of one of the texts, or a message that quotes one in its words, with
// the mark in the whole text; else the message as it is.
std::string with_whole_text(const std::string& message, const std::vector<std::string>& texts);

}  // namespace arges
