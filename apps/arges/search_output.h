#pragma once
// What the searches (optimize, solve-bvp, fit) share.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "arges/experiment/search.h"
#include "commands.h"
#include "console.h"

namespace arges::app {

// Searches compare runs, whose errors have to be small: rtol = 1e-10 where none is given and there
// is something to integrate.
SubjectOptions accurate(const ModelRegistry& models, SubjectOptions options);
std::vector<SearchVariable> parse_variables(const std::vector<std::string>& texts);
// Throws UserError, with the place in the texts, when one of the variables is a whole number.
void refuse_whole_numbers(const std::vector<SearchVariable>& variables,
                          const std::vector<std::string>& texts, const std::string& what);
// A value from inside each range, as broken as the search will ask for.
std::vector<std::vector<double>> examples_of(const std::vector<SearchVariable>& variables);
SearchLimits search_limits(const SearchOptions& options, ProgressBar& bar);

// {status, x, value, evaluations, residual, message} and what is added.
void print_search_json(const SearchResult& result, const std::vector<SearchVariable>& variables,
                       const nlohmann::ordered_json& more = nlohmann::ordered_json::object());
// A line for each; `notes` stand behind the values.
void print_search_text(const SearchResult& result, const std::vector<SearchVariable>& variables,
                       const std::vector<std::string>& notes = {});
// The objective of every run, and the best until then.
void draw_search(const std::string& path, const std::string& title, const std::string& label,
                 const std::vector<double>& values);
// With a message to stderr when it is not 0.
int search_exit_code(const SearchResult& result);

}  // namespace arges::app
