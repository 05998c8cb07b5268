#pragma once
// file:///models/a%20b.mo <-> /models/a b.mo

#include <string>
#include <string_view>

namespace arges::lsp {

std::string uri_of(std::string_view path);
// Of a URI with another scheme (a text that was never saved) it is the URI itself.
std::string path_of(std::string_view uri);

}  // namespace arges::lsp
