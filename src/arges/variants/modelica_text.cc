#include "arges/variants/modelica_text.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/parse_number.h"

namespace arges::variants {

namespace {

// One end of a coupling in a multi-aspect, for one i: the numbers in brackets are worked out.
class Endpoint {
 public:
  Endpoint(const EntityStructure& structure, const PrunedEntity& entity, const Coupling& coupling,
           int i)
      : structure_(structure), entity_(entity), coupling_(coupling), i_(i) {}

  // Nothing when a part that is counted from i does not exist.
  std::optional<std::string> expand(const std::string& text) {
    const Decomposition& of = *entity_.decomposition;
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] != '[') {
        out += text[at];
        continue;
      }
      const std::size_t close = text.find(']', at);
      if (close == std::string::npos) refuse("']' is missing");
      const auto number = index(text.substr(at + 1, close - at - 1));
      if (!number) return std::nullopt;
      const bool is_part = of.multiple && out == of.parts[0].text;
      out = is_part && !of.alike ? replica_name(out, *number) : fmt::format("{}[{}]", out, *number);
      at = close;
    }
    return out;
  }
  bool uses_i() const { return uses_i_; }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw UserError(structure_.file.at(coupling_.text, what));
  }

  // "2", "i", "i+1", "n", "n-1".
  std::optional<int> index(const std::string& text) {
    const std::size_t sign = text.find_first_of("+-", 1);
    const std::string base = text.substr(0, sign);
    const auto offset =
        sign == std::string::npos ? std::optional<double>(0) : parse_number(text.substr(sign));
    const auto plain = parse_number(base);
    const bool is_multiple = entity_.decomposition->multiple;
    if (!offset || (base != "i" && base != "n" && !plain) || (!plain && !is_multiple)) {
      refuse(
          fmt::format("[{}] is no number of a part: 2 is one, and in a multi-aspect i, n, i+1, "
                      "n-1",
                      text));
    }
    uses_i_ = uses_i_ || base == "i";
    const double from = base == "i" ? i_ : base == "n" ? entity_.count : *plain;
    const double number = from + *offset;
    if (is_multiple && (number < 1 || number > entity_.count)) {
      if (base == "i") return std::nullopt;
      refuse(fmt::format("[{}]: there are {} parts", text, entity_.count));
    }
    return static_cast<int>(number);
  }

  const EntityStructure& structure_;
  const PrunedEntity& entity_;
  const Coupling& coupling_;
  int i_;
  bool uses_i_ = false;
};

class Writer {
 public:
  Writer(const EntityStructure& structure, const std::map<std::string, double>& numbers)
      : structure_(structure), numbers_(numbers) {}

  ModelicaText write(const PrunedEntity& root) {
    // A root without parts is a basic model, which may have its name.
    write_class(root, class_name(root), "", true);
    return std::move(made_);
  }

 private:
  std::string value(const PrunedEntity& entity, const Attribute& attribute) const {
    if (!attribute.literal.empty()) return attribute.literal;
    return fmt::format("{}", numbers_.at(path_of(entity.path, attribute.name.text)));
  }

  void put(const std::string& text) { made_.text += text; }
  void put(const std::string& text, const PlacedText& from) {
    if (from.line > 0)
      made_.origins.push_back({made_.text.size(), made_.text.size() + text.size(), from});
    put(text);
  }

  // "(k = 2, each ...)", or nothing.
  void put_modifiers(const PrunedEntity& entity, const char* each) {
    const char* before = "(";
    for (const Attribute* attribute : entity.attributes) {
      put(before);
      put(fmt::format("{}{} = {}", each, attribute->name.text, value(entity, *attribute)),
          attribute->name);
      before = ", ";
    }
    if (!entity.attributes.empty()) put(")");
  }

  void write_class(const PrunedEntity& entity, const std::string& name, const std::string& indent,
                   bool is_root) {
    put(fmt::format("{}model {} \"{}\"\n", indent, name, fmt::join(entity.kinds, ", ")));
    const std::string inner = indent + "  ";
    if (!entity.model.text.empty()) {
      put(inner + "extends ");
      put("." + entity.model.text, entity.model);
      if (is_root) put_modifiers(entity, "");
      put(";\n");
    } else {
      // Nobody else declares them.
      for (const Attribute* each : entity.attributes) {
        const char* type = each->literal.empty()     ? "Real"
                           : each->literal[0] == '"' ? "String"
                                                     : "Boolean";
        put(fmt::format("{}parameter {} {} = {};\n", inner, type, each->name.text,
                        value(entity, *each)),
            each->name);
      }
    }
    for (const PrunedEntity& part : entity.parts) write_part(entity, part, inner);
    if (!entity.parts.empty()) {
      const auto connections = expand_couplings(structure_, entity);
      if (!connections.empty()) put(indent + "equation\n");
      for (const auto& [from, to, place] : connections)
        put(fmt::format("{}connect({}, {});\n", inner, from, to), place);
    }
    put(fmt::format("{}end {};\n", indent, name));
  }

  void write_part(const PrunedEntity& entity, const PrunedEntity& part, const std::string& inner) {
    const bool is_array = entity.decomposition->multiple && entity.decomposition->alike;
    std::string type = "." + part.model.text;
    if (!part.parts.empty()) {
      type = part.name + "_structure";
      write_class(part, type, inner, false);
    }
    put(inner);
    put(type, part.model);
    put(fmt::format(" {}{}", part.name, is_array ? fmt::format("[{}]", entity.count) : ""));
    put_modifiers(part, is_array ? "each " : "");
    put(";\n");
  }

  const EntityStructure& structure_;
  const std::map<std::string, double>& numbers_;
  ModelicaText made_;
};

// Goes down to the entity that owns the attribute, and notes how often each part is there.
bool find_names(const PrunedEntity& entity, const std::vector<std::string>& prefixes,
                const std::string& number, std::vector<std::string>& names) {
  for (const Attribute* each : entity.attributes) {
    if (path_of(entity.path, each->name.text) != number) continue;
    for (const std::string& prefix : prefixes) names.push_back(prefix + each->name.text);
    return true;
  }
  return std::ranges::any_of(entity.parts, [&](const PrunedEntity& part) {
    if (!number.starts_with(part.path + ".")) return false;
    const bool is_array = entity.decomposition->multiple && entity.decomposition->alike;
    std::vector<std::string> inner;
    for (const std::string& prefix : prefixes) {
      if (!is_array) inner.push_back(fmt::format("{}{}.", prefix, part.name));
      for (int i = 1; is_array && i <= entity.count; ++i)
        inner.push_back(fmt::format("{}{}[{}].", prefix, part.name, i));
    }
    return find_names(part, inner, number, names);
  });
}

}  // namespace

std::vector<Connection> expand_couplings(const EntityStructure& structure,
                                         const PrunedEntity& entity) {
  std::vector<Connection> all;
  const Decomposition& of = *entity.decomposition;
  for (const Coupling& coupling : of.couplings) {
    for (int i = 1; i <= entity.count; ++i) {
      Endpoint endpoint(structure, entity, coupling, i);
      const auto from = endpoint.expand(coupling.from), to = endpoint.expand(coupling.to);
      if (from && to) all.push_back({*from, *to, coupling.text});
      if (!endpoint.uses_i()) break;
    }
  }
  return all;
}

std::string class_name(const PrunedEntity& root) {
  return root.parts.empty() ? root.name + "_variant" : root.name;
}

ModelicaText modelica_text(const EntityStructure& structure, const Variant& variant,
                           const std::map<std::string, double>& numbers) {
  return Writer(structure, numbers).write(variant.root);
}

std::vector<std::string> names_in_model(const Variant& variant, const std::string& number) {
  std::vector<std::string> names;
  find_names(variant.root, {""}, number, names);
  return names;
}

}  // namespace arges::variants
