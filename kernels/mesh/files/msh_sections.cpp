#include "kernels/mesh/files/msh_sections.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <set>
#include <string>

namespace cfdmark {

namespace {

// Removes and returns the first word of a line.
std::string_view take_word(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

void expect_line(TokenSource& source, const std::string& expected) {
  const std::string_view line = source.line();
  if (line == expected) return;
  if (line.empty())
    source.fail(MeshFault::truncated, fmt::format("{} is missing; the file is incomplete", expected));
  source.fail(MeshFault::wrong_count,
              fmt::format("expected {}: the section holds more than it announces", expected));
}

// Returns which of both versions a text names. The elements of 2.0 and 2.1 are those of 2.2; NetGen writes
// "2.000000".
std::optional<bool> is_version_4_1(std::string_view text) {
  double version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (version == 4.1) return true;
  return version >= 2 && version <= 2.2 ? std::optional(false) : std::nullopt;
}

// Reads the number that shows the byte order.
void read_byte_order(TokenSource& source) {
  source.set_binary();
  if (source.int32() != 1)
    source.fail(MeshFault::byte_order,
                "written with another byte order; write it on a little-endian machine");
}

PhysicalGroup group_in(std::string_view line, const TokenSource& source) {
  PhysicalGroup group;
  group.dims = int32_in(take_word(line), source);
  group.tag = int32_in(take_word(line), source);
  const std::size_t begin = line.find('"'), end = line.rfind('"');
  if (begin == line.npos || begin == end || group.dims < 0 || group.dims > 3)
    source.fail(MeshFault::bad_token, "expected a dimension from 0 to 3, a tag and a name in double quotes");
  group.name = line.substr(begin + 1, end - begin - 1);
  return group;
}

}  // namespace

MshHeader read_msh_header(TokenSource& source) {
  std::string_view line = source.line();
  if (line == "$Comments") {
    source.skip_past("$EndComments");
    line = source.line();
  }
  if (line != "$MeshFormat")
    source.fail(MeshFault::unknown_format, "expected $MeshFormat: not a mesh file of Gmsh");
  line = source.line();
  const std::optional<bool> is_4_1 = is_version_4_1(take_word(line));
  const std::string_view type = take_word(line), size = take_word(line);
  if (!is_4_1 || (type != "0" && type != "1") || size != "8")
    source.fail(
        MeshFault::unknown_format,
        "only versions 2.2 and 4.1 with numbers of 8 bytes can be read; write it with gmsh -format msh41");
  if (type == "1") read_byte_order(source);
  expect_line(source, "$EndMeshFormat");
  return {*is_4_1};
}

void read_msh_sections(TokenSource& source, const std::function<bool(std::string_view)>& read) {
  std::set<std::string> seen;
  for (std::string_view line = source.line(); !line.empty(); line = source.line()) {
    if (line[0] != '$' || line.substr(0, 4) == "$End")
      source.fail(MeshFault::bad_section, "expected the begin of a section, such as $Nodes");
    const std::string name(line.substr(1));
    if (seen.contains(name))
      source.fail(MeshFault::bad_section, fmt::format("${} comes twice", name.substr(0, 40)));
    if (read(name)) {
      expect_line(source, "$End" + name);
      seen.insert(name);
    } else {
      source.skip_past("$End" + name);
    }
  }
  for (const char* name : {"Nodes", "Elements"})
    if (!seen.contains(name))
      source.fail(MeshFault::bad_section, fmt::format("the section ${} is missing", name));
}

void read_physical_names(TokenSource& source, MshBuilder& builder) {
  const std::int64_t count = read_count(source);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string_view line = source.line();
    if (line.empty())
      source.fail(MeshFault::truncated, fmt::format("{} physical names announced, {} found", count, i));
    if (line[0] == '$')
      source.fail(MeshFault::wrong_count, fmt::format("{} physical names announced, {} found", count, i));
    builder.add_group(group_in(line, source));
  }
}

std::int64_t read_count(TokenSource& source) {
  const std::string_view line = source.line();
  if (line.empty()) source.fail(MeshFault::truncated, "the file ends where a number of records is expected");
  return integer_in(line, source);
}

void check_nodes_come_first(const TokenSource& source, const MshBuilder& builder) {
  if (!builder.has_nodes()) source.fail(MeshFault::bad_section, "$Elements must come after $Nodes");
}

}  // namespace cfdmark
