// Generated meshes that are written, read and connected.
#include <sstream>

#include "kernels/mesh/checks.hpp"
#include "kernels/mesh/files/mesh_cache.hpp"
#include "kernels/mesh/files/write_msh.hpp"
#include "tests/mesh/files/mesh_texts.hpp"
#include "tests/mesh/meshes.hpp"

using namespace cfdmark;

namespace {

// All boundary faces of a connected mesh in one group, outward as the mesh has them.
MeshFile with_boundary(const Mesh& mesh) {
  MeshFile file;
  file.mesh = mesh;
  file.groups = {{mesh.dims - 1, 4, "boundary"}};
  file.group_face_nodes.assign(mesh.face_nodes.begin() + mesh.inner_faces * mesh.dims, mesh.face_nodes.end());
  file.group_face_tags.assign(std::size_t(mesh.boundary_faces()), 4);
  return file;
}

void check_same(const Mesh& mesh, const MeshFile& file, const MeshFile& again) {
  CHECK(again.mesh.nodes == mesh.nodes);
  CHECK(again.mesh.cell_nodes == mesh.cell_nodes);
  CHECK(again.group_face_nodes == file.group_face_nodes);
  const Mesh joined = connected(again.mesh);
  CHECK(counts_of(joined) == counts_of(mesh));
  CHECK(joined.face_cells == mesh.face_cells);
  CHECK(faults(joined).empty());
}

}  // namespace

TEST_CASE("generated meshes are the same after a file, with all counts and every boundary face") {
  for (const Mesh& mesh : small_meshes()) {
    const MeshFile file = with_boundary(mesh);
    for (const MshFormat format :
         {MshFormat::text_2_2, MshFormat::binary_2_2, MshFormat::text_4_1, MshFormat::binary_4_1}) {
      std::ostringstream out;
      write_msh(file, format, out);
      check_same(mesh, file, read_msh(out.str(), "test.msh"));
    }
    check_same(mesh, file, mesh_of_cache(mesh_cache_bytes(file), "test.msh"));
  }
}
