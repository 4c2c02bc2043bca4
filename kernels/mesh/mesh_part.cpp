#include "kernels/mesh/mesh_part.hpp"

#include <algorithm>

namespace cfdmark {
namespace {

// Entities of the whole mesh that a part takes, and their numbers in the part.
class PartEntities {
 public:
  explicit PartEntities(int count) : here_(static_cast<std::size_t>(count), absent) {}

  void take(int n) { here_[std::size_t(n)] = taken; }
  bool has(int n) const { return here_[std::size_t(n)] != absent; }
  // Numbers the taken entities in their order, those for which `first` holds before the others. Returns for
  // each its number in the whole mesh.
  template <class First>
  std::vector<int> number(const First& first) {
    std::vector<int> numbers;
    for (const bool now : {true, false})
      for (int n = 0; n < int(here_.size()); ++n) {
        if (!has(n) || first(n) != now) continue;
        here_[std::size_t(n)] = int(numbers.size());
        numbers.push_back(n);
      }
    return numbers;
  }
  std::vector<int> number() {
    return number([](int) { return true; });
  }
  // Returns the number of an entity in the part.
  Oriented here(Oriented n) const {
    return is_reversed(n) ? reversed(here_[std::size_t(~n)]) : here_[std::size_t(n)];
  }

 private:
  static constexpr int absent = -1, taken = 0;
  std::vector<int> here_;
};

// Marks all entries of the lists, `degree` long, of the taken owners.
void take_entries(const std::vector<Oriented>& lists, int degree, const PartEntities& owners,
                  PartEntities& entries) {
  for (std::size_t n = 0; n < lists.size(); ++n)
    if (owners.has(int(n / std::size_t(degree)))) entries.take(number_of(lists[n]));
}

// Returns the lists of the owners in the part, with the numbers of the part.
std::vector<Oriented> lists_here(const std::vector<Oriented>& lists, int degree,
                                 const std::vector<int>& owners, const PartEntities& entries) {
  std::vector<Oriented> here;
  here.reserve(owners.size() * std::size_t(degree));
  for (const int owner : owners)
    for (int k = 0; k < degree; ++k)
      here.push_back(entries.here(lists[std::size_t(owner) * std::size_t(degree) + std::size_t(k)]));
  return here;
}

// Returns the cells of the part and all that share a node with them.
PartEntities cells_around(const Mesh& whole, const std::vector<int>& part_of_cell, int part) {
  const std::size_t degree = std::size_t(whole.dims) + 1;
  PartEntities cells(whole.cells()), nodes(int(whole.nodes.size()));
  for (std::size_t n = 0; n < whole.cell_nodes.size(); ++n)
    if (part_of_cell[n / degree] == part) nodes.take(whole.cell_nodes[n]);
  for (std::size_t n = 0; n < whole.cell_nodes.size(); ++n)
    if (nodes.has(whole.cell_nodes[n])) cells.take(int(n / degree));
  return cells;
}

}  // namespace

MeshPart::MeshPart(const Mesh& whole, const MeshPartition& partition, int part) : part_(part) {
  const int dims = whole.dims;
  PartEntities cells = cells_around(whole, partition.owners(Entity::cell), part), faces(whole.faces()),
               edges(whole.edges()), nodes(int(whole.nodes.size()));
  take_entries(whole.cell_faces, dims + 1, cells, faces);
  take_entries(whole.cell_nodes, dims + 1, cells, nodes);
  take_entries(whole.face_edges, 3, faces, edges);
  const auto cell_of = [&](int face, int side) {
    return whole.face_cells[2 * std::size_t(face) + std::size_t(side)];
  };
  const auto has_two_cells = [&](int face) {
    return cell_of(face, 1) >= 0 && cells.has(cell_of(face, 0)) && cells.has(cell_of(face, 1));
  };
  auto& [of_cells, of_faces, of_edges, of_nodes] = numbers_;
  of_cells = cells.number(), of_nodes = nodes.number(), of_edges = edges.number();
  of_faces = faces.number(has_two_cells);

  mesh_.dims = dims;
  for (const int node : of_nodes) mesh_.nodes.push_back(whole.nodes[std::size_t(node)]);
  mesh_.cell_nodes = lists_here(whole.cell_nodes, dims + 1, of_cells, nodes);
  mesh_.cell_faces = lists_here(whole.cell_faces, dims + 1, of_cells, faces);
  mesh_.face_nodes = lists_here(whole.face_nodes, dims, of_faces, nodes);
  for (const int face : of_faces) {
    const bool both = has_two_cells(face), first = cells.has(cell_of(face, 0));
    mesh_.inner_faces += both;
    mesh_.face_cells.push_back(cells.here(cell_of(face, first ? 0 : 1)));
    mesh_.face_cells.push_back(both ? cells.here(cell_of(face, 1)) : -1);
  }
  if (dims == 3) {
    mesh_.face_edges = lists_here(whole.face_edges, 3, of_faces, edges);
    mesh_.edge_nodes = lists_here(whole.edge_nodes, 2, of_edges, nodes);
  }
  for (const Entity e : {Entity::cell, Entity::face, Entity::edge, Entity::node})
    for (const int n : numbers(e)) owners_[std::size_t(e)].push_back(partition.owners(e)[std::size_t(n)]);
}

}  // namespace cfdmark
