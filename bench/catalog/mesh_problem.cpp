#include "bench/catalog/mesh_problem.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "bench/text/seconds_now.hpp"
#include "kernels/mesh/connect.hpp"
#include "kernels/mesh/files/checksum.hpp"
#include "kernels/mesh/files/read_msh.hpp"
#include "kernels/mesh/quality.hpp"

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

template <class Work>
double timed(const Work& work) {
  const double start = seconds_now();
  work();
  return seconds_now() - start;
}

nlohmann::json facts_of(const CaseMesh& ready) {
  const Mesh& mesh = *ready.mesh;
  const NumberingFacts order = numbering_facts(mesh);
  const MeshQuality shape = quality(mesh);
  nlohmann::json facts = {{"dims", mesh.dims},
                          {"cells", mesh.cells()},
                          {"faces", mesh.faces()},
                          {"nodes", mesh.nodes.size()},
                          {"boundary_faces", mesh.boundary_faces()},
                          {"mean_distance", order.mean_distance},
                          {"most_distance", order.most_distance},
                          {"same_line_share", order.same_line},
                          {"least_angle", shape.least_angle},
                          {"least_area_over_distance", shape.least_area_over_distance},
                          {"most_area_over_distance", shape.most_area_over_distance},
                          {"most_non_orthogonality", shape.most_non_orthogonality},
                          {"seconds_to_make", ready.make},
                          {"seconds_to_number", ready.number},
                          {"seconds_to_connect", ready.connect}};
  if (mesh.dims == 3) facts["edges"] = mesh.edges();
  return facts;
}

struct KeptMesh {
  std::string key;
  std::shared_ptr<const CaseMesh> mesh;
  std::shared_ptr<DeviceMesh> lists;
};
KeptMesh& kept_mesh() {
  static auto& kept = *new KeptMesh;  // never destroyed: at exit the device may be gone first
  return kept;
}

CaseMesh prepared(const MeshRef& ref, Numbering numbering) {
  CaseMesh ready;
  Mesh mesh;
  ready.make = timed([&] { mesh = made(ref); });
  ready.number = timed([&] { reorder(mesh, cell_order(mesh, numbering, order_seed)); });
  ready.connect = timed([&] { connect(mesh); });
  if (numbering == Numbering::random_faces) ready.number += timed([&] { shuffle_faces(mesh, order_seed); });
  ready.mesh = std::make_shared<const Mesh>(std::move(mesh));
  ready.facts = facts_of(ready);
  return ready;
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

double list_bytes(const MeshRef& ref) { return 24.0 * double(counts_of(ref).faces); }

std::shared_ptr<const CaseMesh> case_mesh(const MeshRef& ref, Numbering numbering) {
  KeptMesh& kept = kept_mesh();
  const std::string key = Domain(ref).text() + " " + std::string(to_string(numbering));
  if (kept.key != key) {
    kept = {};
    kept = {key, std::make_shared<const CaseMesh>(prepared(ref, numbering)), nullptr};
  }
  return kept.mesh;
}

std::shared_ptr<DeviceMesh> lists_on(Backend& on, const std::shared_ptr<const Mesh>& mesh) {
  const auto made = [&] { return std::make_shared<DeviceMesh>(on, mesh); };
  // A backend that only compiles, for example, does not live as long as the kept lists.
  if (!unavailable_reason(on.id()).empty() || &on != &backend(on.id())) return made();
  KeptMesh& kept = kept_mesh();
  if (!kept.mesh || kept.mesh->mesh != mesh) return made();
  if (!kept.lists || &kept.lists->backend() != &on) kept.lists = made();
  return kept.lists;
}

void release_case_mesh() { kept_mesh() = {}; }

}  // namespace cfdmark
