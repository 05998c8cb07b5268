# Run as a script: cmake -D ROOT=<project> -D OUTPUT=<file.cc> -P embed_texts.cmake
# Writes the lessons and models, argesim/*/lesson.md, argesim/*/*.mo and argesim/*/*.toml, as strings into a C++ file, so that an installed
# program has them with it.
file(GLOB paths RELATIVE ${ROOT} ${ROOT}/argesim/*/lesson.md ${ROOT}/argesim/*/*.mo ${ROOT}/argesim/*/*.toml)
list(SORT paths)
set(entries "")
foreach(path IN LISTS paths)
  file(READ ${ROOT}/${path} text)
  # Compilers bound the length of one literal; neighbouring ones are joined.
  set(literals "")
  string(LENGTH "${text}" length)
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 8000 chunk)
    string(APPEND literals "\n     R\"text(${chunk})text\"")
    math(EXPR at "${at} + 8000")
  endwhile()
  if(literals STREQUAL "")
    set(literals " \"\"")
  endif()
  string(APPEND entries "    {\"${path}\",${literals}},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"argesim/embedded.h\"

namespace arges::argesim {

namespace {

struct Embedded {
  std::string_view path, text;
};

constexpr Embedded kEmbedded[] = {
${entries}    {\"\", \"\"},
};

}  // namespace

std::string_view embedded_text(std::string_view path) {
  for (const Embedded& each : kEmbedded) {
    if (each.path == path) return each.text;
  }
  return {};
}

}  // namespace arges::argesim
")
