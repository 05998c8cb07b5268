// Names of files (specification, chapter 13.5).

#include <filesystem>

#include "arges/diag/source_file.h"
#include "arges/flatten/evaluator.h"

namespace arges::lang {

using diag::Code;

std::optional<std::string> Evaluator::resource(const Value& v, diag::Span where) {
  if (!v.is_scalar() || v.type != ScalarType::kString) return std::nullopt;
  const std::optional<ExprId> known = known_value(v.scalar());
  if (!known || pool()[*known].op != Op::kString) return std::nullopt;
  const std::string uri = pool().text(StringId{pool()[*known].index});
  if (!uri.starts_with("modelica://")) return std::nullopt;
  return resource_path(uri, where);
}

// modelica://Package.Sub/folder/file: beside the file that the class stands in.
std::string Evaluator::resource_path(std::string_view uri, diag::Span where) {
  std::string_view rest = uri.substr(std::string_view("modelica://").size());
  const std::size_t slash = rest.find('/');
  const std::string_view name = rest.substr(0, slash);
  rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
  ClassNode* node = instances_.tree().find_class(name);
  const SourceFile* file = node == nullptr ? nullptr : instances_.tree().file(*node);
  if (file == nullptr) {
    fail(Code::kNoPackage,
         "there is no class " + in_quotes(name) + " to find " + in_quotes(uri) + " by", where);
  }
  const std::filesystem::path folder = std::filesystem::absolute(file->path()).parent_path();
  return (folder / rest).lexically_normal().string();
}

}  // namespace arges::lang
