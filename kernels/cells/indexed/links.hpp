// Lists of neighbours in a backend's memory, in several layouts. All have the same interface:
//
//   at(e)            the neighbours of entity e: NeighbourList
//
// Their template argument `marks` is the number of a Marks: the names of launched functions have no
// enumerators. NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/core/grid.hpp"
#include "kernels/mesh/entity.hpp"

namespace cfdmark {

// The neighbours of one entity. Row: how their entries are read; entry(n) and count().
template <class Row, Marks marks>
struct NeighbourList {
  // Number of neighbours if it is known at compile time, else 0.
  static constexpr int degree = Row::degree;
  Row row;

  CFDMARK_FUNCTION int count() const { return row.count(); }
  // False for the missing second cell of a face of the boundary.
  CFDMARK_FUNCTION bool exists(int n) const {
    if constexpr (marks == Marks::gaps)
      return row.entry(n) >= 0;
    else
      return true;
  }
  // Returns the number of a neighbour; 0 in place of a missing one, so that reading there stays in memory.
  CFDMARK_FUNCTION auto index(int n) const {
    const auto entry = row.entry(n);
    if constexpr (marks == Marks::signs)
      return entry < 0 ? ~entry : entry;
    else if constexpr (marks == Marks::gaps)
      return entry < 0 ? 0 * entry : entry;
    else
      return entry;
  }
  // Returns the value, negated if neighbour n is reversed.
  template <class C>
  CFDMARK_FUNCTION C oriented(int n, C value) const {
    if constexpr (requires { row.sign(n); })
      return C(row.sign(n)) * value;
    else if constexpr (marks == Marks::signs)
      return row.entry(n) < 0 ? -value : value;
    else
      return value;
  }
};

// Calls f(n) for each neighbour, unrolled if their number is known at compile time.
template <int n, int end, class F>
CFDMARK_FUNCTION void for_each_number(const F& f) {
  if constexpr (n < end) {
    f(n);
    for_each_number<n + 1, end>(f);
  }
}
template <class Row, Marks marks, class F>
CFDMARK_FUNCTION void for_each_link(const NeighbourList<Row, marks>& links, const F& f) {
  if constexpr (Row::degree > 0) {
    for_each_number<0, Row::degree>(f);
  } else {
    for (int n = 0, end = links.count(); n < end; ++n) f(n);
  }
}

// Entries at a fixed distance from each other.
template <class I, int neighbours>
struct StridedRow {
  static constexpr int degree = neighbours;
  const I* first;
  Index stride;
  CFDMARK_FUNCTION int count() const { return degree; }
  CFDMARK_FUNCTION I entry(int n) const { return first[n * stride]; }
};

// Layout `planes`: first neighbours of all entities, then second ones. Each plane has `pitch` entries.
template <class I, int marks, int degree>
struct PlaneLinks {
  const I* entries;
  Index pitch;
  CFDMARK_FUNCTION NeighbourList<StridedRow<I, degree>, Marks(marks)> at(int e) const {
    return {{entries + e, pitch}};
  }
};

// Layout `entity`: all neighbours of an entity next to each other.
template <class I, int marks, int degree>
struct EntityLinks {
  const I* entries;
  CFDMARK_FUNCTION NeighbourList<StridedRow<I, degree>, Marks(marks)> at(int e) const {
    return {{entries + Index(e) * degree, 1}};
  }
};

// Layout `packs`: the same, filled up to two or four entries, which one load instruction reads.
template <int width>
struct alignas(width * sizeof(int)) LinkPack {
  int entry[width];
};
template <int neighbours, int width>
struct PackRow {
  static constexpr int degree = neighbours;
  LinkPack<width> pack;
  CFDMARK_FUNCTION int count() const { return degree; }
  CFDMARK_FUNCTION int entry(int n) const { return pack.entry[n]; }
};
constexpr int pack_width(int degree) { return degree <= 2 ? 2 : 4; }
template <int marks, int degree>
struct PackLinks {
  static constexpr int width = pack_width(degree);
  const LinkPack<width>* packs;
  CFDMARK_FUNCTION NeighbourList<PackRow<degree, width>, Marks(marks)> at(int e) const {
    return {{packs[e]}};
  }
};

// Planes of numbers, and planes of signs, 1 or -1, in an array of their own as in Menon's thesis (C2F_SIGN).
template <int neighbours>
struct SignedRow {
  static constexpr int degree = neighbours;
  const int* first;
  const float* first_sign;
  Index stride;
  CFDMARK_FUNCTION int count() const { return degree; }
  CFDMARK_FUNCTION int entry(int n) const { return first[n * stride]; }
  CFDMARK_FUNCTION float sign(int n) const { return first_sign[n * stride]; }
};
template <int degree>
struct SignedLinks {
  const int* entries;
  const float* signs;
  Index pitch;
  CFDMARK_FUNCTION NeighbourList<SignedRow<degree>, Marks::none> at(int e) const {
    return {{entries + e, signs + e, pitch}};
  }
};

// Lists of any length: entity e has the entries begin[e] .. begin[e + 1] - 1.
struct ListRow {
  static constexpr int degree = 0;
  const int* first;
  int length;
  CFDMARK_FUNCTION int count() const { return length; }
  CFDMARK_FUNCTION int entry(int n) const { return first[n]; }
};
template <int marks>
struct ListLinks {
  const int* begin;
  const int* entries;
  CFDMARK_FUNCTION NeighbourList<ListRow, Marks(marks)> at(int e) const {
    const int first = begin[e];
    return {{entries + first, begin[e + 1] - first}};
  }
};

// Planes of 16-bit differences from a number per group of entities. The top bit marks a reversed neighbour,
// all bits a missing one.
struct NearLinkFormat {
  static constexpr int group = 128;  // entities
  static constexpr int reversed_bit = 0x8000, missing = 0xffff;
};
template <Marks marks, int neighbours>
struct NearRow {
  static constexpr int degree = neighbours;
  const unsigned short* first;
  Index stride;
  int base;
  CFDMARK_FUNCTION int count() const { return degree; }
  CFDMARK_FUNCTION int entry(int n) const { return entry_of(first[n * stride], base); }
  CFDMARK_FUNCTION static int entry_of(int bits, int base) {
    if constexpr (marks == Marks::signs) {
      const int number = base + (bits & (NearLinkFormat::reversed_bit - 1));
      return bits >= NearLinkFormat::reversed_bit ? ~number : number;
    } else if constexpr (marks == Marks::gaps) {
      return bits == NearLinkFormat::missing ? -1 : base + bits;
    } else {
      return base + bits;
    }
  }
};
template <int marks, int degree>
struct NearLinks {
  const unsigned short* differences;
  const int* base;
  Index pitch;
  CFDMARK_FUNCTION NeighbourList<NearRow<Marks(marks), degree>, Marks(marks)> at(int e) const {
    return {{differences + e, pitch, base[e / NearLinkFormat::group]}};
  }
};

// Returns the same lists for entities whose neighbours all exist.
template <class I, int marks, int degree>
PlaneLinks<I, int(Marks::none), degree> without_gaps(const PlaneLinks<I, marks, degree>& lists) {
  return {lists.entries, lists.pitch};
}
template <class I, int marks, int degree>
EntityLinks<I, int(Marks::none), degree> without_gaps(const EntityLinks<I, marks, degree>& lists) {
  return {lists.entries};
}
template <int marks, int degree>
PackLinks<int(Marks::none), degree> without_gaps(const PackLinks<marks, degree>& lists) {
  return {lists.packs};
}
template <int marks, int degree>
NearLinks<int(Marks::none), degree> without_gaps(const NearLinks<marks, degree>& lists) {
  return {lists.differences, lists.base, lists.pitch};
}
template <int marks>
ListLinks<int(Marks::none)> without_gaps(const ListLinks<marks>& lists) {
  return {lists.begin, lists.entries};
}

// Degree of the lists that name, for each neighbour, the places where it stands in the lists of a connection
// (DeviceMesh::places); 0 if they differ in length. A cell has as many faces as nodes.
constexpr int degree_of_places(Connection c, int dims) { return c == Connection::face_cells ? dims + 1 : 0; }

}  // namespace cfdmark
