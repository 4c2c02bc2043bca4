// The binary mesh file with a checksum.
#include "kernels/mesh/files/mesh_cache.hpp"

#include <cstring>
#include <fstream>
#include <set>

#include "kernels/mesh/files/checksum.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/mesh/files/mesh_texts.hpp"

using namespace cfdmark;

namespace {

std::string cached(const std::string& text) { return mesh_cache_bytes(read_msh(text, "test.msh")); }

Refusal refusal_of_cache(const std::string& bytes) {
  return refusal_by([&] { mesh_of_cache(bytes, "test.msh"); });
}

template <typename T>
std::string overwritten(std::string bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
  return bytes;
}

// Bytes whose checksum is right again.
std::string signed_again(const std::string& bytes) {
  return overwritten(bytes, 8, checksum(std::string_view(bytes).substr(16)));
}

}  // namespace

TEST_CASE("a cached mesh is the mesh, with its groups") {
  for (const std::string& text : {square_2_2, pair_2_2}) {
    const MeshFile file = read_msh(text, "test.msh");
    const MeshFile again = mesh_of_cache(cached(text), "test.msh");
    CHECK(again.mesh.dims == file.mesh.dims);
    CHECK(again.mesh.nodes == file.mesh.nodes);
    CHECK(again.mesh.cell_nodes == file.mesh.cell_nodes);
    CHECK(again.groups == file.groups);
    CHECK(again.group_face_nodes == file.group_face_nodes);
    CHECK(again.group_face_tags == file.group_face_tags);
  }
}

TEST_CASE("the bytes of a cached mesh are as described") {
  const std::string bytes = cached(square_2_2);
  CHECK(bytes.substr(0, 8) == "cfdmesh\n");
  // 56 of header, 4 nodes, 2 cells, 2 faces with tags, and two names of 3 and 14 letters.
  CHECK(bytes.size() == 56 + 4 * 24 + 2 * 12 + 2 * 8 + 2 * 4 + (12 + 3) + (12 + 14));
}

TEST_CASE("any changed bit of a cached mesh is refused") {
  const std::string bytes = cached(pair_2_2);
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (int bit = 0; bit < 8; ++bit)
      CHECK_THROWS_AS(mesh_of_cache(overwritten(bytes, at, char(bytes[at] ^ (1 << bit))), "test.msh"),
                      MeshFileError);
  CHECK(refusal_of_cache(overwritten(bytes, 60, 'x')) == Refusal{MeshFault::wrong_checksum, 8});
  CHECK(refusal_of_cache(overwritten(bytes, 8, 'x')) == Refusal{MeshFault::wrong_checksum, 8});
}

TEST_CASE("a cached mesh that is cut or too long is refused") {
  const std::string bytes = cached(square_2_2);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK_THROWS_AS(mesh_of_cache(bytes.substr(0, size), "test.msh"), MeshFileError);
  CHECK(refusal_of_cache(bytes.substr(0, 40)).fault == MeshFault::truncated);
  CHECK(refusal_of_cache(bytes.substr(0, 100)).fault == MeshFault::truncated);
  CHECK(refusal_of_cache(signed_again(bytes + "x")).fault == MeshFault::wrong_count);
}

TEST_CASE("a file of another kind or version is not taken for a cached mesh") {
  CHECK(refusal_of_cache("").fault == MeshFault::unknown_format);
  CHECK(refusal_of_cache(square_2_2).fault == MeshFault::unknown_format);
  CHECK(refusal_of_cache(signed_again(overwritten(cached(square_2_2), 16, 2))) ==
        Refusal{MeshFault::unknown_format, 16});
  CHECK(refusal_of_cache(signed_again(overwritten(cached(square_2_2), 20, 4))) ==
        Refusal{MeshFault::unknown_format, 20});
}

TEST_CASE("a cached mesh with a right checksum is checked like any other") {
  const std::string bytes = cached(pair_2_2);
  const std::size_t cells = 56 + 5 * 24;
  const auto changed = [&](std::size_t at, auto value) {
    return refusal_of_cache(signed_again(overwritten(bytes, at, value)));
  };
  CHECK(changed(24, std::int64_t(1000000000)) == Refusal{MeshFault::truncated, 48});
  CHECK(changed(32, std::int64_t(-1)).fault == MeshFault::wrong_count);
  CHECK(changed(56, 1e200) == Refusal{MeshFault::bad_coordinate, 56});
  CHECK(changed(cells, 5) == Refusal{MeshFault::unknown_node, std::int64_t(cells)});
  CHECK(changed(cells, -1) == Refusal{MeshFault::unknown_node, std::int64_t(cells)});
  CHECK(changed(cells, 1) == Refusal{MeshFault::repeated_node, std::int64_t(cells)});
  CHECK(changed(cells + 28, 0) == Refusal{MeshFault::duplicate_element, std::int64_t(cells) + 16});
}

TEST_CASE("the checksum of a file is what it was when meshes were named by it") {
  const TemporaryFolder folder;
  std::ofstream(folder / "empty");
  std::ofstream(folder / "text") << "The checksum of 40 bytes, 5 words of 8.\n";
  CHECK(checksum_of_file(folder / "empty") == "d694f53c11d605f8");
  CHECK(checksum_of_file(folder / "text") == "824e4b658854d055");
}

TEST_CASE("zeros at the end, exchanged words and pairs of sign bits change a checksum") {
  std::set<std::uint64_t> sums;
  const std::string zeros(100, '\0');
  for (std::size_t size = 0; size <= 100; ++size) sums.insert(checksum(zeros.substr(0, size)));
  CHECK(sums.size() == 101);
  for (std::size_t a = 0; a < 96; a += 8)
    for (std::size_t b = 0; b <= a; b += 8) {
      std::string bytes = zeros;
      bytes[a + 7] = char(0x80);
      if (b < a) bytes[b + 7] = char(0x80);
      sums.insert(checksum(bytes));
    }
  CHECK(sums.size() == 101 + 12 * 13 / 2);
}
