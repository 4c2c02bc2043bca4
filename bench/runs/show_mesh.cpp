#include "bench/runs/show_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "bench/text/printable.hpp"
#include "kernels/mesh/files/made_mesh.hpp"
#include "kernels/mesh/files/write_msh.hpp"
#include "kernels/mesh/files/write_vtu.hpp"
#include "kernels/mesh/mesh_partition.hpp"

namespace cfdmark {
namespace {

MeshRef asked_mesh(const std::string& text) {
  const Domain domain = domain_from(text);
  if (!domain.is_mesh())
    throw std::invalid_argument(fmt::format(
        "{} is not a mesh; expected a mesh such as triangles-178x178, tetrahedra-36x36x36 or a file "
        "that ends with .msh",
        text));
  return known(domain.mesh());
}

Numbering asked_numbering(const std::string& word) {
  const auto value = numbering_setting().parse(word);
  if (!value)
    throw std::invalid_argument(
        fmt::format("unknown numbering '{}'; expected {}", word, numbering_setting().declaration()));
  Config config;
  config.set("numbering", *value);
  const Numbering numbering = numbering_of(config);
  if (const std::string reason = not_built_reason(numbering); !reason.empty())
    throw std::invalid_argument(reason);
  return numbering;
}

void print_counts(const Mesh& mesh, const MeshQuality& shape) {
  fmt::print("{} {}, {} faces, {} of them at the boundary, {}{} nodes\n", mesh.cells(),
             mesh.dims == 2 ? "triangles" : "tetrahedra", mesh.faces(), mesh.boundary_faces(),
             mesh.dims == 3 ? fmt::format("{} edges, ", mesh.edges()) : "", mesh.nodes.size());
  fmt::print(
      "least angle {:.1f} degrees; area of a face over the distance of its cells {:.3g} to {:.3g}; most "
      "non-orthogonality {:.1f} degrees\n\n",
      shape.least_angle, shape.least_area_over_distance, shape.most_area_over_distance,
      shape.most_non_orthogonality);
  fmt::print("{:<14} {:>14} {:>14} {:>12} {:>12} {:>12}\n", "NUMBERING", "MEAN DISTANCE", "MOST", "SAME LINE",
             "NUMBER", "CONNECT");
}

void print_numbering(const std::string& word, const MadeMesh& made) {
  fmt::print("{:<14} {:>14.1f} {:>14} {:>10.1f} % {:>10.3f} s {:>10.3f} s\n", word,
             made.numbering.mean_distance, made.numbering.most_distance, 100 * made.numbering.same_line,
             made.number, made.connect);
}

void check_output(const std::string& path) {
  if (path.empty() || path.ends_with(".vtu") || path.ends_with(".msh")) return;
  throw std::invalid_argument(
      fmt::format("--output {}: expected a name that ends with .vtu (ParaView) or .msh (Gmsh)", path));
}

void print_parts(const Mesh& mesh, const MeshPartition& parts, const std::string& word) {
  std::vector<int> cells;
  for (int part = 0; part < parts.parts(); ++part) cells.push_back(parts.cells_of(part));
  const auto [least, most] = std::minmax_element(cells.begin(), cells.end());
  fmt::print(
      "\n{} ranks by {}: {} to {} cells each, imbalance {:.2f} %; {} faces between ranks, {:.2f} % of all\n",
      parts.parts(), word, *least, *most, 100 * parts.imbalance(), parts.cut_faces(),
      100.0 * parts.cut_faces() / mesh.faces());
}

// Writes with .vtu the number of each cell, and its rank if there are several.
void write(const Mesh& mesh, const std::optional<MeshPartition>& parts, const std::string& path) {
  if (path.ends_with(".vtu")) {
    std::vector<double> number(std::size_t(mesh.cells())), rank;
    std::iota(number.begin(), number.end(), 0.0);
    std::vector<MeshField> fields = {{"number", Entity::cell, 1, number}};
    if (parts) {
      rank.assign(parts->owners(Entity::cell).begin(), parts->owners(Entity::cell).end());
      fields.push_back({"rank", Entity::cell, 1, rank});
    }
    write_vtu(mesh, fields, path);
  } else {
    MeshFile file;
    file.mesh = mesh;
    write_msh(file, MshFormat::binary_4_1, path);
  }
  fmt::print("\nwritten: {}\n", printable(path));
}

}  // namespace

void show_mesh(const MeshRequest& request) {
  check_output(request.output);
  const MeshRef ref = asked_mesh(request.mesh);
  const std::vector<std::string> words =
      request.numberings.empty() ? std::vector<std::string>{"lattice"} : request.numberings;
  std::vector<Numbering> numberings;
  for (const std::string& word : words) numberings.push_back(asked_numbering(word));
  for (std::size_t n = 0; n < words.size(); ++n) {
    const auto mesh = made_mesh(ref, numberings[n]);
    if (n == 0) print_counts(*mesh->mesh, mesh->shape);
    print_numbering(words[n], *mesh);
  }
  const auto first = made_mesh(ref, numberings.front());
  std::optional<MeshPartition> parts;
  if (request.ranks != 1) {
    parts = MeshPartition::of(*first->mesh, request.ranks, mesh_cut_from(request.partition));
    print_parts(*first->mesh, *parts, request.partition);
  }
  if (!request.output.empty()) write(*first->mesh, parts, request.output);
}

}  // namespace cfdmark
