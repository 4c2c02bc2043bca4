#include "kernels/cells/indexed/device_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace cfdmark {
namespace {

Index padded(Index n) { return (n + Grid::row_alignment - 1) / Grid::row_alignment * Grid::row_alignment; }

template <class T>
Buffer uploaded(Backend& to, const std::vector<T>& values) {
  const Buffer buffer(to, std::max<std::size_t>(values.size(), 1) * sizeof(T));
  to.upload(buffer.data(), values.data(), values.size() * sizeof(T));
  return buffer;
}

// Returns f(e, n) for each entry in planes of `pitch`; the padding holds zeros.
template <class T, class F>
std::vector<T> in_planes(const HostLists& lists, Index pitch, const F& f) {
  std::vector<T> planes(std::size_t(pitch * lists.degree));
  for (int n = 0; n < lists.degree; ++n)
    for (int e = 0; e < lists.entities; ++e) planes[std::size_t(n * pitch + e)] = f(e, n);
  return planes;
}

int number_in(const HostLists& lists, int entry) {
  return lists.marks == Marks::signs ? number_of(entry) : entry;
}

LinkMemory in_packs(Backend& to, const HostLists& lists) {
  const int width = pack_width(lists.degree);
  std::vector<int> packs(std::size_t(lists.entities) * width);
  for (int e = 0; e < lists.entities; ++e)
    for (int n = 0; n < lists.degree; ++n) packs[std::size_t(e) * width + n] = lists.entry(e, n);
  return {uploaded(to, packs), {}};
}

LinkMemory in_lists(Backend& to, const HostLists& lists) {
  std::vector<int> begin = lists.begin;
  if (lists.degree > 0)
    for (int e = 0; e <= lists.entities; ++e) begin.push_back(e * lists.degree);
  LinkMemory memory{uploaded(to, lists.entries), uploaded(to, begin)};
  for (int e = 0; e < lists.entities; e += LinkMemory::group) {
    const int end = std::min(e + LinkMemory::group, lists.entities);
    memory.most_of_group = std::max(memory.most_of_group, begin[std::size_t(end)] - begin[std::size_t(e)]);
  }
  return memory;
}

LinkMemory with_own_signs(Backend& to, const HostLists& lists, Index pitch) {
  const auto numbers =
      in_planes<int>(lists, pitch, [&](int e, int n) { return number_of(lists.entry(e, n)); });
  const auto signs =
      in_planes<float>(lists, pitch, [&](int e, int n) { return float(sign_of(lists.entry(e, n))); });
  return {uploaded(to, numbers), uploaded(to, signs), pitch};
}

// Returns the least neighbour of each group of entities.
std::vector<int> bases_of(const HostLists& lists) {
  constexpr int group = NearLinkFormat::group;
  std::vector<int> bases(std::size_t(lists.entities + group - 1) / group, std::numeric_limits<int>::max());
  for (int e = 0; e < lists.entities; ++e)
    for (int n = 0; n < lists.degree; ++n) {
      const int entry = lists.entry(e, n);
      if (lists.marks == Marks::gaps && entry < 0) continue;
      int& base = bases[std::size_t(e / group)];
      base = std::min(base, number_in(lists, entry));
    }
  return bases;
}

unsigned short near_bits(const HostLists& lists, int base, int e, int n) {
  const int entry = lists.entry(e, n);
  if (lists.marks == Marks::gaps && entry < 0) return NearLinkFormat::missing;
  const int most =
      lists.marks == Marks::signs ? NearLinkFormat::reversed_bit - 1 : NearLinkFormat::missing - 1;
  const int difference = number_in(lists, entry) - base;
  if (difference > most)
    throw std::invalid_argument(fmt::format(
        "index_bits=16: neighbours of {} consecutive entities are {} apart, from number {} on, but 16 bits "
        "hold {}: renumber the mesh or use index_bits=32",
        NearLinkFormat::group, difference, base, most));
  const bool reverse = lists.marks == Marks::signs && is_reversed(entry);
  return static_cast<unsigned short>(difference | (reverse ? NearLinkFormat::reversed_bit : 0));
}

LinkMemory in_16_bits(Backend& to, const HostLists& lists, Index pitch) {
  const std::vector<int> bases = bases_of(lists);
  const auto bits = in_planes<unsigned short>(lists, pitch, [&](int e, int n) {
    return near_bits(lists, bases[std::size_t(e / NearLinkFormat::group)], e, n);
  });
  return {uploaded(to, bits), uploaded(to, bases), pitch};
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

std::vector<Setting> link_settings(Connection c) {
  if (c == Connection::edge_faces) return {};
  std::vector<Setting> settings = {
      choice_setting("link_order", {"planes", "entity", "packs"}, "planes",
                     "order of the lists of neighbours: first neighbours of all entities, then second ones; "
                     "by entity; or by entity, filled up to two or four"),
      choice_setting("link_count", {"fixed", "list"}, "fixed",
                     "number of neighbours: fixed, or lists with their first entries"),
      {"index_bits",
       {16, 32, 64},
       32,
       "bits of a neighbour's number; 16: of its difference",
       "",
       integer_from_to(16, 64)}};
  if (marks_of(c) == Marks::signs)
    settings.push_back(choice_setting("link_sign", {"index", "array"}, "index",
                                      "sign of a neighbour: in its number, or in an array of its own"));
  return settings;
}

std::string link_problem(const Config& config) {
  if (!config.has("link_order")) return "";
  const int bits = config.integer("index_bits");
  if (bits != 16 && bits != 32 && bits != 64) return fmt::format("index_bits={}: use 16, 32 or 64", bits);
  const int changed = (config.choice("link_order") != "planes") + config.is("link_count", "list") +
                      (bits != 32) + config.is("link_sign", "array");
  if (changed <= 1) return "";
  return fmt::format(
      "{}: at most one of link_order, link_count, index_bits and link_sign can differ from its "
      "default",
      config.text());
}

LinkLayout link_layout(const Config& config) {
  LinkLayout layout;
  if (config.is("link_order", "entity")) layout.order = LinkOrder::entity;
  if (config.is("link_order", "packs")) layout.order = LinkOrder::packs;
  layout.own_signs = config.is("link_sign", "array");
  layout.counted = config.is("link_count", "list");
  if (config.has("index_bits")) layout.bits = config.integer("index_bits");
  return layout;
}

double link_bytes(const HostLists& lists, const LinkLayout& layout) {
  const double entities = lists.entities, entries = double(lists.entries.size());
  if (lists.degree == 0 || layout.counted) return sizeof(int) * (entries + entities + 1);
  if (layout.order == LinkOrder::packs) return sizeof(int) * entities * pack_width(lists.degree);
  if (layout.own_signs) return (sizeof(int) + sizeof(float)) * entries;
  const double groups = layout.bits == 16 ? entities / NearLinkFormat::group : 0;
  return layout.bits / 8 * entries + sizeof(int) * groups;
}

LinkMemory upload_links(Backend& to, const HostLists& lists, const LinkLayout& layout) {
  const Index pitch = padded(lists.entities);
  if (lists.degree == 0 || layout.counted) return in_lists(to, lists);
  if (layout.own_signs) return with_own_signs(to, lists, pitch);
  if (layout.bits == 16) return in_16_bits(to, lists, pitch);
  const auto entry = [&](int e, int n) { return lists.entry(e, n); };
  if (layout.bits == 64) return {uploaded(to, in_planes<Index>(lists, pitch, entry)), {}, pitch};
  if (layout.order == LinkOrder::packs) return in_packs(to, lists);
  if (layout.order == LinkOrder::entity) return {uploaded(to, lists.entries), {}};
  return {uploaded(to, in_planes<int>(lists, pitch, entry)), {}, pitch};
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

const LinkMemory& DeviceMesh::links(Connection c, const LinkLayout& layout) {
  LinkMemory& memory = links_[{c, layout}];
  if (!memory.entries.data()) memory = upload_links(*owner_, lists_of(*mesh_, c), layout);
  return memory;
}

const LinkMemory& DeviceMesh::places(Connection c) {
  LinkMemory& memory = places_[c];
  if (!memory.entries.data()) {
    LinkLayout layout;
    layout.counted = degree_of_places(c, mesh_->dims) == 0;
    memory = upload_links(
        *owner_, places_of(lists_of(*mesh_, c), mesh_->count(neighbours_in(c, mesh_->dims))), layout);
  }
  return memory;
}

const int* DeviceMesh::boundary() {
  if (!boundary_.data()) {
    std::vector<int> faces;
    for (int f = mesh_->inner_faces; f < mesh_->faces(); ++f) faces.push_back(f);
    boundary_ = uploaded(*owner_, faces);
  }
  return static_cast<const int*>(boundary_.data());
}

const DeviceMesh::Colours& DeviceMesh::colours(Connection c) {
  Colours& colours = colours_[c];
  if (colours.begin.empty()) {
    const Colouring all = coloured(lists_of(*mesh_, c), mesh_->count(neighbours_in(c, mesh_->dims)));
    colours = {all.begin, uploaded(*owner_, all.order)};
  }
  return colours;
}

}  // namespace cfdmark
