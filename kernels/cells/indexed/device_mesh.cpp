#include "kernels/cells/indexed/device_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
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

}  // namespace

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
