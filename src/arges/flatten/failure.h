#pragma once
// How a step of elaboration fails.

#include <string>
#include <utility>
#include <vector>

#include "arges/diag/diagnostic.h"
#include "arges/diag/in_quotes.h"

namespace arges::lang {

using diag::in_quotes;

// Thrown where something is wrong; caught where work can go on with the next element or equation,
// and reported there, or forgotten by those who only try.
struct Failure {
  diag::Diagnostic diagnostic;
  bool tried = false;  // as a vector whose length is known only during the run, in vain
  std::vector<diag::Diagnostic> more{};  // wrong as well, whatever becomes of the first
};

// Thrown when the whole text has used up what it may use: nobody goes on after that.
struct Exhausted {
  diag::Diagnostic diagnostic;
};

[[noreturn]] inline void fail(diag::Code code, std::string text, diag::Span where,
                              std::string label = {}) {
  throw Failure{diag::Diagnostic(code, std::move(text), where, std::move(label))};
}

}  // namespace arges::lang
