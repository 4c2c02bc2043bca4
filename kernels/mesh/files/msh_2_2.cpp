#include "kernels/mesh/files/msh_2_2.hpp"

#include <fmt/format.h>

#include "kernels/mesh/files/msh_sections.hpp"

namespace cfdmark {

namespace {

constexpr int most_tags = 4096;  // of an element; partitions need one each

void read_nodes(TokenSource& source, MshBuilder& builder) {
  const std::int64_t count = read_count(source);
  source.check_promise(count, 4, 4 + 3 * 8, "nodes");
  builder.reserve_nodes(count);
  for (std::int64_t i = 0; i < count; ++i) {
    source.begin_record();
    builder.add_node_number(source.id());
    builder.read_point();
    source.end_record();
  }
  builder.end_nodes();
}

int read_tag_count(TokenSource& source) {
  const int count = source.int32();
  if (count < 0 || count > most_tags)
    source.fail(MeshFault::bad_token, fmt::format("{} tags: expected 0 to {}", count, most_tags));
  return count;
}

// Returns the set with the physical tag, which is the first.
int read_tags(TokenSource& source, MshBuilder& builder, int count) {
  int physical = 0;
  for (int i = 0; i < count; ++i) {
    const int tag = source.int32();
    if (i == 0) physical = tag;
  }
  return physical == 0 ? 0 : builder.tag_set(physical);
}

void read_text_elements(TokenSource& source, MshBuilder& builder, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    source.begin_record();
    const std::int64_t place = source.place();
    const std::int64_t number = source.id();
    const int type = source.int32();
    nodes_of(type, source);
    const int tag_set = read_tags(source, builder, read_tag_count(source));
    builder.read_element(MshElement(type), number, place, tag_set, false);
    source.end_record();
  }
}

// Reads a block of elements with the same type and number of tags. Returns their number.
std::int64_t read_block(TokenSource& source, MshBuilder& builder, std::int64_t most) {
  const int type = source.int32();
  const int node_count = nodes_of(type, source);
  const std::int64_t count = source.int32();
  if (count < 1 || count > most)
    source.fail(MeshFault::wrong_count, fmt::format("a block of {} elements: expected 1 to {}", count, most));
  const int tag_count = read_tag_count(source);
  source.check_promise(count, 1, 4 * (1 + tag_count + node_count), "elements");
  builder.reserve_elements(MshElement(type), count);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t number = source.id();
    const std::int64_t place = source.place();
    const int tag_set = read_tags(source, builder, tag_count);
    builder.read_element(MshElement(type), number, place, tag_set, false);
  }
  return count;
}

void read_elements(TokenSource& source, MshBuilder& builder) {
  check_nodes_come_first(source, builder);
  const std::int64_t count = read_count(source);
  source.check_promise(count, 4, 4 + 4, "elements");
  if (!source.is_binary()) return read_text_elements(source, builder, count);
  for (std::int64_t n = 0; n < count;) n += read_block(source, builder, count - n);
}

}  // namespace

void read_msh_2_2(TokenSource& source, MshBuilder& builder) {
  read_msh_sections(source, [&](std::string_view name) {
    if (name == "PhysicalNames") {
      read_physical_names(source, builder);
    } else if (name == "ParametricNodes") {
      source.fail(MeshFault::bad_section,
                  "parametric nodes cannot be read; write the file without them (Mesh.SaveParametric = 0)");
    } else if (name == "Nodes") {
      read_nodes(source, builder);
    } else if (name == "Elements") {
      read_elements(source, builder);
    } else {
      return false;
    }
    return true;
  });
}

}  // namespace cfdmark
