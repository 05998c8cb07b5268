#pragma once
// The pieces of a specification, each with its place: for those who read one.

#include <string>
#include <string_view>
#include <vector>

namespace arges {

struct Piece {
  std::string text;
  std::size_t place;
};

// Throws UserError with the place.
[[noreturn]] void refuse_text(const std::string& what, std::string_view text, std::size_t place);

// What lies from begin to end - 1, but for blanks around it.
Piece without_blanks(std::string_view all, std::size_t begin, std::size_t end);
std::vector<Piece> split_at(char separator, std::string_view all, std::size_t begin,
                            std::size_t end);
// What commas separate outside of brackets and of quotes, without blanks around it.
std::vector<Piece> split_items(std::string_view all, std::size_t begin, std::size_t end);
// Throws UserError, with the place, unless it is a finite number.
double number_in(std::string_view all, const Piece& piece);
// The name before '=', without blanks around it: returns the place of what follows. Throws
// UserError when there is none.
std::size_t take_name(const std::string& text, const char* example, std::string& name);

// The items of a list: numbers (of truth values 0 and 1); or words, when they are allowed and one
// item is no number: then a value is the position in the words.
struct ListItems {
  std::vector<double> values{};
  std::vector<std::string> words{};
};
ListItems read_list(const std::string& text, const std::vector<Piece>& items, bool words_allowed);

}  // namespace arges
