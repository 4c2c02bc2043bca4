#include "bench/catalog/mesh_problem.hpp"

#include <utility>

namespace cfdmark {
namespace {

struct KeptLists {
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<DeviceMesh> lists;
};
KeptLists& kept_lists() {
  static auto& kept = *new KeptLists;  // never destroyed: at exit the device may be gone first
  return kept;
}

}  // namespace

nlohmann::json mesh_facts(const MadeMesh& made) {
  const Mesh& mesh = *made.mesh;
  nlohmann::json facts = {{"dims", mesh.dims},
                          {"cells", mesh.cells()},
                          {"faces", mesh.faces()},
                          {"nodes", mesh.nodes.size()},
                          {"boundary_faces", mesh.boundary_faces()},
                          {"mean_distance", made.numbering.mean_distance},
                          {"most_distance", made.numbering.most_distance},
                          {"same_line_share", made.numbering.same_line},
                          {"least_angle", made.shape.least_angle},
                          {"least_area_over_distance", made.shape.least_area_over_distance},
                          {"most_area_over_distance", made.shape.most_area_over_distance},
                          {"most_non_orthogonality", made.shape.most_non_orthogonality},
                          {"seconds_to_make", made.make},
                          {"seconds_to_number", made.number},
                          {"seconds_to_connect", made.connect}};
  if (mesh.dims == 3) facts["edges"] = mesh.edges();
  return facts;
}

double list_bytes(const MeshRef& ref) { return 24.0 * double(counts_of(ref).faces); }

std::shared_ptr<const MadeMesh> case_mesh(const MeshRef& ref, Numbering numbering) {
  if (!is_kept(ref, numbering)) kept_lists() = {};
  return made_mesh(ref, numbering);
}

std::shared_ptr<DeviceMesh> lists_on(Backend& on, const std::shared_ptr<const Mesh>& mesh) {
  const auto made = [&] { return std::make_shared<DeviceMesh>(on, mesh); };
  // A backend that only compiles, for example, does not live as long as the kept lists.
  if (!unavailable_reason(on.id()).empty() || &on != &backend(on.id())) return made();
  KeptLists& kept = kept_lists();
  if (kept.mesh != mesh || &kept.lists->backend() != &on) {
    kept = {};
    kept = {mesh, made()};
  }
  return kept.lists;
}

void release_meshes() {
  kept_lists() = {};
  release_made_mesh();
}

}  // namespace cfdmark
