#include "kernels/mesh/files/msh_4_1.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "kernels/mesh/files/msh_sections.hpp"

namespace cfdmark {

namespace {

// Announced in the first record of Nodes and Elements.
struct Announced {
  std::int64_t blocks = 0, count = 0, least = 0, largest = 0;
};

class Reader41 {
 public:
  Reader41(TokenSource& source, MshBuilder& builder) : source_(source), builder_(builder) {}
  bool read(std::string_view section);

 private:
  void read_entities();
  void read_entity(int dims);
  std::vector<int> read_tag_list(std::string_view what);
  Announced read_announced(int numbers, int bytes, std::string_view what);
  void read_nodes();
  std::int64_t read_node_block(const Announced&, std::int64_t most);
  void read_elements();
  std::int64_t read_element_block(const Announced&, std::int64_t most);
  std::pair<int, int> read_entity_name();
  std::int64_t read_block_count(std::int64_t most, std::string_view what);
  std::int64_t read_number(const Announced&, std::string_view what);

  TokenSource& source_;
  MshBuilder& builder_;
  bool has_elements_ = false;
  std::map<std::pair<int, int>, int> tag_sets_;  // by dimension and tag of an entity
};

bool Reader41::read(std::string_view section) {
  if (section == "PartitionedEntities")
    source_.fail(MeshFault::bad_section,
                 "a partitioned mesh cannot be read; write it without partitions (gmsh -part 0)");
  if (section == "PhysicalNames") {
    read_physical_names(source_, builder_);
  } else if (section == "Entities") {
    read_entities();
  } else if (section == "Nodes") {
    read_nodes();
  } else if (section == "Elements") {
    read_elements();
  } else {
    return false;
  }
  return true;
}

void Reader41::read_entities() {
  if (has_elements_) source_.fail(MeshFault::bad_section, "$Entities must come before $Elements");
  source_.begin_record();
  std::int64_t counts[4];
  for (std::int64_t& count : counts) {
    count = source_.int64();
    source_.check_promise(count, 5, 36, "entities");
  }
  source_.end_record();
  for (int dims = 0; dims < 4; ++dims)
    for (std::int64_t i = 0; i < counts[dims]; ++i) read_entity(dims);
}

void Reader41::read_entity(int dims) {
  source_.begin_record();
  const int tag = source_.int32();
  for (int i = 0; i < (dims == 0 ? 3 : 6); ++i) source_.real();  // position or bounding box
  const std::vector<int> physical = read_tag_list("physical tags");
  if (dims > 0) read_tag_list("bounding entities");
  source_.end_record();
  tag_sets_[{dims, tag}] = builder_.tag_set(physical);
}

std::vector<int> Reader41::read_tag_list(std::string_view what) {
  const std::int64_t count = source_.int64();
  source_.check_promise(count, 1, 4, what);
  std::vector<int> tags(static_cast<std::size_t>(count));
  for (int& tag : tags) tag = source_.int32();
  return tags;
}

Announced Reader41::read_announced(int numbers, int bytes, std::string_view what) {
  Announced announced;
  source_.begin_record();
  announced.blocks = source_.int64();
  source_.check_promise(announced.blocks, 4, 20, "blocks");
  announced.count = source_.int64();
  source_.check_promise(announced.count, numbers, bytes, what);
  announced.least = source_.int64();
  announced.largest = source_.int64();
  source_.end_record();
  return announced;
}

std::pair<int, int> Reader41::read_entity_name() {
  const int dims = source_.int32();
  if (dims < 0 || dims > 3)
    source_.fail(MeshFault::bad_token, fmt::format("dimension {} of a block: expected 0 to 3", dims));
  const int tag = source_.int32();
  return {dims, tag};
}

std::int64_t Reader41::read_block_count(std::int64_t most, std::string_view what) {
  const std::int64_t count = source_.int64();
  if (count < 0 || count > most)
    source_.fail(MeshFault::wrong_count,
                 fmt::format("a block of {} {}: {} of the announced ones remain", count, what, most));
  return count;
}

std::int64_t Reader41::read_number(const Announced& announced, std::string_view what) {
  const std::int64_t number = source_.int64();
  if (number < announced.least || number > announced.largest)
    source_.fail(MeshFault::wrong_count, fmt::format("{} number {} is outside the announced range {} to {}",
                                                     what, number, announced.least, announced.largest));
  return number;
}

void Reader41::read_nodes() {
  const Announced announced = read_announced(4, 8 + 3 * 8, "nodes");
  builder_.reserve_nodes(announced.count);
  std::int64_t found = 0;
  for (std::int64_t i = 0; i < announced.blocks; ++i)
    found += read_node_block(announced, announced.count - found);
  if (found != announced.count)
    source_.fail(MeshFault::wrong_count, fmt::format("{} nodes announced, {} found", announced.count, found));
  builder_.end_nodes();
}

std::int64_t Reader41::read_node_block(const Announced& announced, std::int64_t most) {
  source_.begin_record();
  const int dims = read_entity_name().first;
  const int parametric = source_.int32();
  if (parametric != 0 && parametric != 1)
    source_.fail(MeshFault::bad_token, fmt::format("parametric is {}: expected 0 or 1", parametric));
  const std::int64_t count = read_block_count(most, "nodes");
  source_.end_record();
  for (std::int64_t i = 0; i < count; ++i) {
    source_.begin_record();
    builder_.add_node_number(read_number(announced, "node"));
    source_.end_record();
  }
  for (std::int64_t i = 0; i < count; ++i) {
    source_.begin_record();
    builder_.read_point();
    for (int k = 0; k < parametric * dims; ++k) source_.real();
    source_.end_record();
  }
  return count;
}

void Reader41::read_elements() {
  check_nodes_come_first(source_, builder_);
  has_elements_ = true;
  const Announced announced = read_announced(2, 16, "elements");
  std::int64_t found = 0;
  for (std::int64_t i = 0; i < announced.blocks; ++i)
    found += read_element_block(announced, announced.count - found);
  if (found != announced.count)
    source_.fail(MeshFault::wrong_count,
                 fmt::format("{} elements announced, {} found", announced.count, found));
}

std::int64_t Reader41::read_element_block(const Announced& announced, std::int64_t most) {
  source_.begin_record();
  const std::pair<int, int> entity = read_entity_name();
  const int type = source_.int32();
  const int node_count = nodes_of(type, source_);
  const std::int64_t count = read_block_count(most, "elements");
  source_.check_promise(count, 1 + node_count, 8 * (1 + node_count), "elements");
  source_.end_record();
  const auto found = tag_sets_.find(entity);
  const int tag_set = found == tag_sets_.end() ? 0 : found->second;
  builder_.reserve_elements(MshElement(type), count);
  for (std::int64_t i = 0; i < count; ++i) {
    source_.begin_record();
    const std::int64_t number = read_number(announced, "element");
    builder_.read_element(MshElement(type), number, source_.place(), tag_set, true);
    source_.end_record();
  }
  return count;
}

}  // namespace

void read_msh_4_1(TokenSource& source, MshBuilder& builder) {
  Reader41 reader(source, builder);
  read_msh_sections(source, [&](std::string_view section) { return reader.read(section); });
}

}  // namespace cfdmark
