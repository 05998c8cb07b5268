# Run as a script: cmake -D ROOT=<project> -D OUTPUT=<file.cc> -P embed_lessons.cmake
# Writes the lessons, argesim/*/lesson.md, as strings into a C++ file, so that an installed program has them with it.
file(GLOB lessons RELATIVE ${ROOT} ${ROOT}/argesim/*/lesson.md)
list(SORT lessons)
set(entries "")
foreach(lesson IN LISTS lessons)
  file(READ ${ROOT}/${lesson} text)
  # Compilers bound the length of one literal; neighbouring ones are joined.
  set(literals "")
  string(LENGTH "${text}" length)
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 8000 chunk)
    string(APPEND literals "\n     R\"lesson(${chunk})lesson\"")
    math(EXPR at "${at} + 8000")
  endwhile()
  if(literals STREQUAL "")
    set(literals " \"\"")
  endif()
  string(APPEND entries "    {\"${lesson}\",${literals}},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"argesim/lessons.h\"

namespace arges::argesim {

namespace {

struct Lesson {
  std::string_view path, text;
};

constexpr Lesson kLessons[] = {
${entries}    {\"\", \"\"},
};

}  // namespace

std::string_view lesson_text(std::string_view path) {
  for (const Lesson& lesson : kLessons) {
    if (lesson.path == path) return lesson.text;
  }
  return {};
}

}  // namespace arges::argesim
")
