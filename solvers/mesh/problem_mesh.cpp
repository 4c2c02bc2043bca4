#include "solvers/mesh/problem_mesh.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "kernels/mesh/connect.hpp"
#include "kernels/mesh/files/checksum.hpp"
#include "kernels/mesh/files/read_msh.hpp"
#include "kernels/mesh/number.hpp"

namespace cfdmark {
namespace {

constexpr const char* lattice = "lattice";
constexpr std::uint64_t order_seed = 1;  // random orders are the same on every machine

Mesh made(const MeshRef& ref) {
  const auto seed = std::uint64_t(ref.seed);
  const auto [a, b, c] = ref.sides;
  if (ref.is_generated())
    return ref.dims == 2 ? triangles(a, b, ref.extra, seed) : tetrahedra(a, b, c, ref.extra, seed);
  if (const std::string now = checksum_of_file(ref.file); !ref.checksum.empty() && now != ref.checksum)
    throw std::invalid_argument(fmt::format(
        "{} has the checksum {}, not {}: it was changed; name it without a checksum to use it as it is now",
        ref.file, now, ref.checksum));
  return read_msh_file(ref.file).mesh;
}

}  // namespace

Setting problem_numbering() {
  std::vector<std::string> words;
  for (const Numbering numbering : all_numberings)
    words.push_back(numbering == Numbering::stored ? lattice : std::string(to_string(numbering)));
  return choice_setting("numbering", words, lattice,
                        "order of the mesh's cells, which faces and nodes follow; lattice: as generated; "
                        "random_faces: also faces at random");
}

std::shared_ptr<const Mesh> problem_mesh(const MeshRef& ref, const Config& settings) {
  const std::string word = settings.choice("numbering");
  const Numbering numbering = word == lattice ? Numbering::stored : numbering_from(word);
  Mesh mesh = made(ref);
  reorder(mesh, cell_order(mesh, numbering, order_seed));
  connect(mesh);
  if (numbering == Numbering::random_faces) shuffle_faces(mesh, order_seed);
  return std::make_shared<const Mesh>(std::move(mesh));
}

MeshCounts most_counts(const MeshRef& ref) {
  const auto [a, b, c] = ref.sides;
  if (ref.is_generated())
    return ref.dims == 2 ? counts_of_triangles(a, b, ref.extra) : counts_of_tetrahedra(a, b, c, ref.extra);
  const long long cells = ref.cells_of_file, faces = (ref.dims + 1) * cells;
  return {cells, faces, ref.dims == 3 ? 6 * cells : 0, faces, faces};
}

}  // namespace cfdmark
