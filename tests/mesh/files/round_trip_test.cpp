// Meshes that are written and read again.
#include <bit>
#include <cstring>
#include <sstream>

#include "kernels/mesh/files/mesh_cache.hpp"
#include "kernels/mesh/files/write_msh.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/mesh/files/mesh_texts.hpp"

using namespace cfdmark;

namespace {

constexpr MshFormat all_formats[] = {MshFormat::text_2_2, MshFormat::binary_2_2, MshFormat::text_4_1,
                                     MshFormat::binary_4_1};

// Two triangles or tetrahedra with coordinates that need all digits, and faces in groups in the order of
// tags.
MeshFile uneven(const std::string& text) {
  MeshFile file = read_msh(text, "test.msh");
  for (Point& point : file.mesh.nodes)
    for (int k = 0; k < file.mesh.dims; ++k) point[std::size_t(k)] = point[std::size_t(k)] / 3 + 1e-17;
  if (file.group_face_tags.size() == 2) {
    file.group_face_nodes = {2, 3, 0, 1};
    file.group_face_tags = {7, 8};
  }
  return file;
}

std::string written(const MeshFile& file, MshFormat format) {
  std::ostringstream out;
  write_msh(file, format, out);
  return out.str();
}

void check_equal(const MeshFile& a, const MeshFile& b) {
  CHECK(a.mesh.dims == b.mesh.dims);
  CHECK(a.mesh.nodes == b.mesh.nodes);
  CHECK(a.mesh.cell_nodes == b.mesh.cell_nodes);
  CHECK(a.groups == b.groups);
  CHECK(a.group_face_nodes == b.group_face_nodes);
  CHECK(a.group_face_tags == b.group_face_tags);
  CHECK(b.reoriented_cells == 0);
  CHECK(b.unused_nodes == 0);
}

// Overwrites bytes from a place on with a number.
template <typename T>
std::string overwritten(std::string bytes, std::size_t at, T value) {
  REQUIRE(at + sizeof value <= bytes.size());
  std::memcpy(bytes.data() + at, &value, sizeof value);
  return bytes;
}

// The place behind the first occurrence of a text.
std::size_t behind(const std::string& bytes, const std::string& text) {
  const std::size_t at = bytes.find(text);
  REQUIRE(at != bytes.npos);
  return at + text.size();
}

}  // namespace

TEST_CASE("a mesh written in any format of Gmsh is read back bit by bit") {
  for (const std::string& text : {square_2_2, pair_2_2})
    for (const MshFormat format : all_formats) {
      const MeshFile file = uneven(text);
      check_equal(file, read_msh(written(file, format), "test.msh"));
    }
}

TEST_CASE("a mesh without groups is read back, too") {
  for (const MshFormat format : all_formats) {
    MeshFile file = uneven(square_2_2);
    file.groups.clear(), file.group_face_nodes.clear(), file.group_face_tags.clear();
    check_equal(file, read_msh(written(file, format), "test.msh"));
  }
}

TEST_CASE("a mesh written to a file is read back, and the folder holds no scratch file") {
  const TemporaryFolder folder;
  const MeshFile file = uneven(pair_2_2);
  write_msh(file, MshFormat::binary_4_1, folder / "pair.msh");
  check_equal(file, read_msh_file(folder / "pair.msh"));
  write_mesh_cache(folder / "pair.cache", file);
  check_equal(file, read_mesh_cache(folder / "pair.cache"));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 2);
}

TEST_CASE("a file that cannot be written is an error that names it") {
  const TemporaryFolder folder;
  try {
    write_msh(uneven(pair_2_2), MshFormat::text_2_2, folder / "absent/pair.msh");
    FAIL("the file was written");
  } catch (const MeshFileError& error) {
    CHECK(error.fault == MeshFault::unwritable);
    CHECK(error.file == folder / "absent/pair.msh");
  }
}

TEST_CASE("every proper part of a binary file that begins it is refused") {
  for (const std::string& text : {square_2_2, pair_2_2})
    for (const MshFormat format : {MshFormat::binary_2_2, MshFormat::binary_4_1}) {
      const std::string whole = written(uneven(text), format);
      for (std::size_t size = 0; size + 1 < whole.size(); ++size)
        CHECK_THROWS_AS(read_msh(whole.substr(0, size), "test.msh"), MeshFileError);
    }
}

TEST_CASE("a binary file of another byte order is refused") {
  const std::string bytes = written(uneven(pair_2_2), MshFormat::binary_2_2);
  const std::size_t one = behind(bytes, "2.2 1 8\n");
  CHECK(refusal_of(overwritten(bytes, one, 0x01000000)) == Refusal{MeshFault::byte_order, std::int64_t(one)});
}

TEST_CASE("counts in a binary file of version 2.2 are checked before memory is allocated") {
  const std::string bytes = written(uneven(pair_2_2), MshFormat::binary_2_2);
  const std::size_t block = behind(bytes, "$Elements\n3\n");  // type, count, tags
  const auto with_int = [&](std::size_t n, int value) {
    return refusal_of(overwritten(bytes, block + 4 * n, value));
  };
  CHECK(with_int(0, 3) == Refusal{MeshFault::unsupported_element, std::int64_t(block)});
  CHECK(with_int(1, 0) == Refusal{MeshFault::wrong_count, std::int64_t(block) + 4});
  CHECK(with_int(1, 1000000000) == Refusal{MeshFault::wrong_count, std::int64_t(block) + 4});
  CHECK(with_int(2, 4000) == Refusal{MeshFault::truncated, std::int64_t(block) + 8});
  CHECK(with_int(2, -1) == Refusal{MeshFault::bad_token, std::int64_t(block) + 8});
  CHECK(with_int(6, 99) == Refusal{MeshFault::unknown_node, std::int64_t(block) + 24});
  CHECK(refusal_of(with(bytes, "$Nodes\n5", "$Nodes\n1000000000")).fault == MeshFault::truncated);
}

TEST_CASE("counts in a binary file of version 4.1 are checked before memory is allocated") {
  const std::string bytes = written(uneven(pair_2_2), MshFormat::binary_4_1);
  const std::int64_t nodes = std::int64_t(behind(bytes, "$Nodes\n"));
  const std::int64_t elements = std::int64_t(behind(bytes, "$Elements\n"));
  const auto with_size = [&](std::int64_t at, std::int64_t value) {
    return refusal_of(overwritten(bytes, std::size_t(at), value));
  };
  for (const std::int64_t section : {nodes, elements}) {
    CHECK(with_size(section, 1000000000) == Refusal{MeshFault::truncated, section});          // blocks
    CHECK(with_size(section + 8, 1000000000) == Refusal{MeshFault::truncated, section + 8});  // all
    CHECK(with_size(section + 8, -1) == Refusal{MeshFault::wrong_count, section + 8});
    CHECK(with_size(section + 44, 1000000000) ==
          Refusal{MeshFault::wrong_count, section + 44});  // of a block
  }
  CHECK(with_size(nodes + 8, 4).fault == MeshFault::wrong_count);
  CHECK(with_size(nodes + 52, 2) == Refusal{MeshFault::repeated_number, nodes + 60});
  CHECK(with_size(elements + 60, 6) == Refusal{MeshFault::unknown_node, elements + 60});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(with_size(nodes + 92, std::bit_cast<std::int64_t>(nan)) ==
        Refusal{MeshFault::bad_coordinate, nodes + 92});
}

TEST_CASE("faults of elements in a binary file are reported with the byte of the element") {
  MeshFile file = uneven(pair_2_2);
  file.mesh.cell_nodes = {0, 1, 2, 3, 0, 2, 1, 3};
  const std::string bytes = written(file, MshFormat::binary_4_1);
  const std::int64_t second = std::int64_t(bytes.find("\n$EndElements")) - 40;
  CHECK(refusal_of(bytes) == Refusal{MeshFault::duplicate_element, second});
  try {
    read_msh(bytes, "test.msh");
  } catch (const MeshFileError& error) {
    CHECK(error.unit == PlaceUnit::byte);
  }
}
