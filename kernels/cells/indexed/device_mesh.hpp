// The lists of a mesh in a backend's memory, in the layouts of links.hpp.
#pragma once

#include <map>
#include <memory>

#include "kernels/cells/indexed/links.hpp"
#include "kernels/core/config.hpp"
#include "kernels/device/backend.hpp"
#include "kernels/mesh/mesh.hpp"

namespace cfdmark {

// The lists of one connection on the host; entries as in Mesh (Marks). degree 0: the lists differ in length
// and begin[e] is the first entry of entity e.
struct HostLists {
  int entities = 0, degree = 0;
  Marks marks = Marks::none;
  std::vector<int> begin, entries;

  int count(int e) const { return degree > 0 ? degree : begin[std::size_t(e) + 1] - begin[std::size_t(e)]; }
  std::size_t first(int e) const { return degree > 0 ? std::size_t(e) * degree : std::size_t(begin[e]); }
  int entry(int e, int n) const { return entries[first(e) + std::size_t(n)]; }
};
HostLists lists_of(const Mesh&, Connection);

// Returns for each of `targets` entities the places in `lists` that name it, as e * degree + n, in ascending
// order. `lists` must have a fixed degree. The result has one if all targets are named equally often.
HostLists places_of(const HostLists& lists, int targets);

enum class LinkOrder { planes, entity, packs };

// A layout of lists. By default planes of 32-bit numbers with the sign in the index.
struct LinkLayout {
  LinkOrder order = LinkOrder::planes;
  bool own_signs = false;  // planes only
  bool counted = false;    // lists with their first entries, also of a fixed degree
  int bits = 32;           // 16, 32 or 64; other than 32 for planes only
  auto operator<=>(const LinkLayout&) const = default;
};

// Returns the settings of a layout for methods of a kernel around `c`.
std::vector<Setting> link_settings(Connection c);
// Returns why the settings cannot be combined; empty if they can.
std::string link_problem(const Config&);
// Returns the layout of a config; absent settings have their defaults.
LinkLayout link_layout(const Config&);
// Returns the bytes of all lists in a layout.
double link_bytes(const HostLists&, const LinkLayout&);

// Lists in memory. `second` holds signs, first entries or bases.
struct LinkMemory {
  Buffer entries, second;
  Index pitch = 0;
  // Of lists that differ in length: the most entries of `group` consecutive entities, counted from multiples
  // of it.
  static constexpr int group = 32;
  int most_of_group = 0;
};

// Throws std::invalid_argument if the neighbours of a group of entities are too far apart for 16 bits.
LinkMemory upload_links(Backend&, const HostLists&, const LinkLayout&);

// A mesh whose lists are uploaded to a backend on first use and then shared by all cases. Not for use by
// several threads at once.
class DeviceMesh {
 public:
  DeviceMesh(Backend& owner, std::shared_ptr<const Mesh> mesh) : owner_(&owner), mesh_(std::move(mesh)) {}
  const Mesh& mesh() const { return *mesh_; }
  Backend& backend() const { return *owner_; }
  const LinkMemory& links(Connection, const LinkLayout&);
  // The places in the lists of a connection that name each neighbour (places_of): planes if
  // degree_of_places() is not 0, else lists.
  const LinkMemory& places(Connection);
  // The faces of the boundary.
  const int* boundary();
  // Entities by colour: no two of a colour share a neighbour. Colour n has entities begin[n] ..
  // begin[n + 1] - 1 of `order`.
  struct Colours {
    std::vector<int> begin;
    Buffer order;
  };
  const Colours& colours(Connection);

 private:
  Backend* owner_;
  std::shared_ptr<const Mesh> mesh_;
  std::map<std::pair<Connection, LinkLayout>, LinkMemory> links_;
  std::map<Connection, LinkMemory> places_;
  std::map<Connection, Colours> colours_;
  Buffer boundary_;
};

// A partition of entities: no two of a part share a neighbour.
struct Colouring {
  std::vector<int> begin, order;  // entities of a colour in ascending order
  int colours() const { return int(begin.size()) - 1; }
};
// Returns a greedy colouring: each entity in turn gets the first colour that none of its neighbours has met.
// `targets`: number of entities that may be neighbours.
Colouring coloured(const HostLists&, int targets);

// Calls f(table) with lists in the default layout, or lists that differ in length, and returns its result.
template <Connection c, int dims, class F>
decltype(auto) with_plain_links(const LinkMemory& memory, F&& f) {
  constexpr int degree = degree_of(c, dims);
  const auto* const numbers = static_cast<const int*>(memory.entries.data());
  if constexpr (degree == 0)
    return f(ListLinks<int(marks_of(c))>{static_cast<const int*>(memory.second.data()), numbers});
  else
    return f(PlaneLinks<int, int(marks_of(c)), degree>{numbers, memory.pitch});
}

// Calls f(table) with the lists in the layout's type (links.hpp) and returns its result.
template <Connection c, int dims, class F>
decltype(auto) with_links(const LinkMemory& memory, const LinkLayout& layout, F&& f) {
  constexpr int degree = degree_of(c, dims);
  constexpr Marks marks = marks_of(c);
  const void* const entries = memory.entries.data();
  const void* const second = memory.second.data();
  const auto* const numbers = static_cast<const int*>(entries);
  if constexpr (degree == 0) {
    return with_plain_links<c, dims>(memory, f);
  } else {
    if (layout.counted) return f(ListLinks<int(marks)>{static_cast<const int*>(second), numbers});
    if constexpr (marks == Marks::signs)
      if (layout.own_signs)
        return f(SignedLinks<degree>{numbers, static_cast<const float*>(second), memory.pitch});
    if (layout.bits == 16)
      return f(NearLinks<int(marks), degree>{static_cast<const unsigned short*>(entries),
                                             static_cast<const int*>(second), memory.pitch});
    if (layout.bits == 64)
      return f(PlaneLinks<Index, int(marks), degree>{static_cast<const Index*>(entries), memory.pitch});
    if (layout.order == LinkOrder::entity) return f(EntityLinks<int, int(marks), degree>{numbers});
    if (layout.order == LinkOrder::packs)
      return f(PackLinks<int(marks), degree>{static_cast<const LinkPack<pack_width(degree)>*>(entries)});
    return with_plain_links<c, dims>(memory, f);
  }
}

}  // namespace cfdmark
