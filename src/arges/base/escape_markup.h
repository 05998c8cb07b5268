#pragma once

#include <string>
#include <string_view>

namespace arges {

// Text with & < > and quotes made safe, for contents and for attributes in quotes of HTML and XML.
std::string escape_markup(std::string_view text);

}  // namespace arges
