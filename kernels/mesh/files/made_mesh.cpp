#include "kernels/mesh/files/made_mesh.hpp"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>
#include <utility>

#include "kernels/mesh/connect.hpp"
#include "kernels/mesh/files/checksum.hpp"
#include "kernels/mesh/files/read_msh.hpp"

namespace cfdmark {
namespace {

constexpr const char* lattice = "lattice";
// Random orders of the suite's cases: the same on every machine.
constexpr std::uint64_t order_seed = 1;

std::string word_of(Numbering numbering) {
  return numbering == Numbering::stored ? lattice : std::string(to_string(numbering));
}

// The last file that was read, so that a case whose sweep was just read does not read it again.
struct KeptFile {
  std::string path, checksum;
  Mesh mesh;
};
const KeptFile& file_of(const MeshRef& ref) {
  static KeptFile kept;
  const std::string now = checksum_of_file(ref.file);
  if (!ref.checksum.empty() && now != ref.checksum)
    throw std::invalid_argument(fmt::format(
        "{} has the checksum {}, not {}: it was changed; name it without a checksum to use it as it "
        "is now",
        ref.file, now, ref.checksum));
  if (kept.path != ref.file || kept.checksum != now) {
    kept = {};
    kept = {ref.file, now, read_msh_file(ref.file).mesh};
  }
  return kept;
}

Mesh made(const MeshRef& ref) {
  const auto seed = std::uint64_t(ref.seed);
  const auto [a, b, c] = ref.sides;
  if (!ref.is_generated()) return file_of(ref).mesh;
  return ref.dims == 2 ? triangles(a, b, ref.extra, seed) : tetrahedra(a, b, c, ref.extra, seed);
}

// Returns the seconds that the work took.
template <class Work>
double timed(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

MadeMesh prepared(const MeshRef& ref, Numbering numbering) {
  MadeMesh ready;
  Mesh mesh;
  ready.make = timed([&] { mesh = made(ref); });
  ready.number = timed([&] { reorder(mesh, cell_order(mesh, numbering, order_seed)); });
  ready.connect = timed([&] { connect(mesh); });
  if (numbering == Numbering::random_faces) ready.number += timed([&] { shuffle_faces(mesh, order_seed); });
  ready.numbering = numbering_facts(mesh);
  ready.shape = quality(mesh);
  ready.mesh = std::make_shared<const Mesh>(std::move(mesh));
  return ready;
}

struct KeptMesh {
  std::string key;
  std::shared_ptr<const MadeMesh> mesh;
};
KeptMesh& kept_mesh() {
  static KeptMesh kept;
  return kept;
}
std::string key_of(const MeshRef& ref, Numbering numbering) {
  return Domain(ref).text() + " " + std::string(to_string(numbering));
}

}  // namespace

Setting numbering_setting() {
  std::vector<std::string> words;
  for (const Numbering numbering : all_numberings) words.push_back(word_of(numbering));
  return choice_setting(
      "numbering", words, lattice,
      "order of the mesh's cells, which faces, edges and nodes follow; lattice: as generated; "
      "random_faces: also faces at random");
}

Numbering numbering_of(const Config& workload) {
  const std::string word = workload.choice("numbering");
  return word == lattice ? Numbering::stored : numbering_from(word);
}

MeshRef known(const MeshRef& ref) {
  if (ref.is_generated()) return ref;
  const KeptFile& file = file_of(ref);
  MeshRef mesh = ref;
  mesh.dims = file.mesh.dims, mesh.cells_of_file = file.mesh.cells(), mesh.checksum = file.checksum;
  return mesh;
}

MeshCounts counts_of(const MeshRef& ref) {
  if (!ref.is_generated()) {
    const long long cells = ref.cells_of_file, faces = (ref.dims + 1) * cells;
    return {cells, faces, ref.dims == 3 ? 6 * cells : 0, faces, faces};
  }
  const auto [a, b, c] = ref.sides;
  return ref.dims == 2 ? counts_of_triangles(a, b, ref.extra) : counts_of_tetrahedra(a, b, c, ref.extra);
}

double mesh_bytes(const MeshRef& ref) {
  const MeshCounts n = counts_of(ref);
  const double corners = ref.dims + 1;
  const double mesh = sizeof(Point) * double(n.nodes) + 4 * (2 * corners * double(n.cells)) +
                      4 * ((ref.dims + 2 + (ref.dims == 3 ? 3 : 0)) * double(n.faces) + 2 * double(n.edges));
  const double to_connect = 16 * corners * double(n.cells);  // pairs to be sorted
  return mesh + to_connect;
}

std::shared_ptr<const MadeMesh> made_mesh(const MeshRef& ref, Numbering numbering) {
  KeptMesh& kept = kept_mesh();
  if (!is_kept(ref, numbering)) {
    kept = {};
    kept = {key_of(ref, numbering), std::make_shared<const MadeMesh>(prepared(ref, numbering))};
  }
  return kept.mesh;
}

bool is_kept(const MeshRef& ref, Numbering numbering) { return kept_mesh().key == key_of(ref, numbering); }

void release_made_mesh() { kept_mesh() = {}; }

}  // namespace cfdmark
