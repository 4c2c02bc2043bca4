// The lists of a mesh on the host, the places that name their entries, and colours.
#include <bitset>
#include <numeric>
#include <stdexcept>

#include "kernels/cells/indexed/device_mesh.hpp"

namespace cfdmark {
namespace {

int number_in(const HostLists& lists, int entry) {
  return lists.marks == Marks::signs ? number_of(entry) : entry;
}

HostLists fixed(const Mesh& mesh, Connection c, const std::vector<int>& entries) {
  return {mesh.count(entities_with(c, mesh.dims)), degree_of(c, mesh.dims), marks_of(c), {}, entries};
}

// In 2-D the edges of a face are its start, reversed, and its end.
HostLists ends_of_sides(const Mesh& mesh) {
  HostLists lists = fixed(mesh, Connection::face_edges, mesh.face_nodes);
  for (std::size_t n = 0; n < lists.entries.size(); n += 2) lists.entries[n] = reversed(lists.entries[n]);
  return lists;
}

HostLists faces_at_edges(const Mesh& mesh) {
  const HostLists edges = lists_of(mesh, Connection::face_edges);
  HostLists around = places_of(edges, mesh.count(edges_in(mesh.dims)));
  around.marks = Marks::signs;
  for (int& place : around.entries) {
    const int face = place / edges.degree;
    place = is_reversed(edges.entries[std::size_t(place)]) ? reversed(face) : face;
  }
  if (around.degree > 0) {  // the connection has no fixed degree in general
    for (int e = 0; e <= around.entities; ++e) around.begin.push_back(e * around.degree);
    around.degree = 0;
  }
  return around;
}

// Returns the colour of each entity, or nothing if `most` do not suffice.
template <std::size_t most>
std::vector<int> greedy_colours(const HostLists& lists, int targets) {
  std::vector<std::bitset<most>> met(static_cast<std::size_t>(targets));  // colours around each target
  std::vector<int> colour_of(static_cast<std::size_t>(lists.entities));
  const auto for_each_target = [&](int e, const auto& f) {
    for (int n = 0; n < lists.count(e); ++n) {
      const int entry = lists.entry(e, n);
      if (lists.marks != Marks::gaps || entry >= 0) f(met[std::size_t(number_in(lists, entry))]);
    }
  };
  for (int e = 0; e < lists.entities; ++e) {
    std::bitset<most> taken;
    for_each_target(e, [&](const auto& colours) { taken |= colours; });
    std::size_t colour = 0;
    while (colour < most && taken[colour]) ++colour;
    if (colour == most) return {};
    for_each_target(e, [&](auto& colours) { colours.set(colour); });
    colour_of[std::size_t(e)] = int(colour);
  }
  return colour_of;
}

}  // namespace

HostLists lists_of(const Mesh& mesh, Connection c) {
  switch (c) {
    case Connection::face_cells: return fixed(mesh, c, mesh.face_cells);
    case Connection::cell_faces: return fixed(mesh, c, mesh.cell_faces);
    case Connection::cell_nodes: return fixed(mesh, c, mesh.cell_nodes);
    case Connection::face_edges:
      return mesh.dims == 3 ? fixed(mesh, c, mesh.face_edges) : ends_of_sides(mesh);
    case Connection::edge_faces: break;
  }
  return faces_at_edges(mesh);
}

HostLists places_of(const HostLists& lists, int targets) {
  HostLists places{targets, 0, Marks::none, std::vector<int>(std::size_t(targets) + 1), {}};
  const auto target = [&](std::size_t place) {
    const int entry = lists.entries[place];
    return lists.marks == Marks::gaps && entry < 0 ? -1 : number_in(lists, entry);
  };
  for (std::size_t place = 0; place < lists.entries.size(); ++place)
    if (const int to = target(place); to >= 0) ++places.begin[std::size_t(to) + 1];
  for (int to = 0; to < targets; ++to) places.begin[std::size_t(to) + 1] += places.begin[std::size_t(to)];
  places.entries.resize(std::size_t(places.begin.back()));
  std::vector<int> next(places.begin.begin(), places.begin.end() - 1);
  for (std::size_t place = 0; place < lists.entries.size(); ++place)
    if (const int to = target(place); to >= 0)
      places.entries[std::size_t(next[std::size_t(to)]++)] = int(place);
  const int degree = targets > 0 ? places.count(0) : 0;
  for (int to = 0; to < targets; ++to)
    if (places.count(to) != degree) return places;
  places.begin.clear();
  places.degree = degree;
  return places;
}

Colouring coloured(const HostLists& lists, int targets) {
  std::vector<int> colour_of = greedy_colours<64>(lists, targets);
  if (colour_of.empty()) colour_of = greedy_colours<512>(lists, targets);
  if (colour_of.empty() && lists.entities > 0)
    throw std::invalid_argument("colouring: entities of this mesh need more than 512 colours");
  Colouring all{{0}, std::vector<int>(colour_of.size())};
  for (const int colour : colour_of) {
    if (std::size_t(colour) + 2 > all.begin.size()) all.begin.resize(std::size_t(colour) + 2);
    ++all.begin[std::size_t(colour) + 1];
  }
  std::partial_sum(all.begin.begin(), all.begin.end(), all.begin.begin());
  std::vector<int> next = all.begin;
  for (std::size_t e = 0; e < colour_of.size(); ++e)
    all.order[std::size_t(next[std::size_t(colour_of[e])]++)] = int(e);
  return all;
}

}  // namespace cfdmark
