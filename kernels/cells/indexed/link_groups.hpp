// The lists of a group of entities, loaded into registers before anything else is read. The entities are
// consecutive and read by the widest loads that the layout permits, or some distance apart, so that the
// threads of a warp read neighbouring ones. NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/cells/indexed/links.hpp"
#include "kernels/cells/indexed/runs.hpp"

namespace cfdmark {

// Entries of one entity in registers.
template <class I, int neighbours>
struct HeldRow {
  static constexpr int degree = neighbours;
  I entries[neighbours];
  CFDMARK_FUNCTION int count() const { return degree; }
  CFDMARK_FUNCTION I entry(int n) const { return entries[n]; }
};
template <int neighbours>
struct HeldSignedRow {
  static constexpr int degree = neighbours;
  int entries[neighbours];
  float signs[neighbours];
  CFDMARK_FUNCTION int count() const { return degree; }
  CFDMARK_FUNCTION int entry(int n) const { return entries[n]; }
  CFDMARK_FUNCTION float sign(int n) const { return signs[n]; }
};

// The neighbours of `length` entities.
template <class Row, Marks marks, int length>
struct LinkGroup {
  using List = NeighbourList<Row, marks>;
  template <int more>
  using Longer = LinkGroup<Row, marks, more>;
  Row rows[length];
  CFDMARK_FUNCTION List at(int k) const { return {rows[k]}; }
};

// A group consists of parts of consecutive entities. Calls f(GroupPart<entities>(), e, k) for each: entity e
// is number k of the group.
template <int entities>
struct GroupPart {};
template <int length, int stride, class F>
CFDMARK_FUNCTION void for_each_part(int first, const F& f) {
  if constexpr (stride == 1)
    f(GroupPart<length>(), first, 0);
  else
    for_each_number<0, length>([&](int k) { f(GroupPart<1>(), first + k * stride, k); });
}

// consecutive_links<length, hint>(table, first) loads the lists of entities first .. first + length - 1.
// `first` is a multiple of `length`.

template <int length, CacheHint hint, class I, int marks, int degree>
CFDMARK_FUNCTION auto consecutive_links(const PlaneLinks<I, marks, degree>& table, int first) {
  LinkGroup<HeldRow<I, degree>, Marks(marks), length> group;
  for_each_number<0, degree>([&](int n) {
    I run[length];
    load_run<length, hint>(table.entries + n * table.pitch + first, run);
    for_each_number<0, length>([&](int k) { group.rows[k].entries[n] = run[k]; });
  });
  return group;
}

// `stride` entries per entity, of which the first `degree` are used.
template <int length, CacheHint hint, Marks marks, int degree, int stride>
CFDMARK_FUNCTION auto group_by_entity(const int* entries) {
  LinkGroup<HeldRow<int, degree>, marks, length> group;
  int run[length * stride];
  load_run<length * stride, hint>(entries, run);
  for_each_number<0, length>([&](int k) {
    for_each_number<0, degree>([&](int n) { group.rows[k].entries[n] = run[k * stride + n]; });
  });
  return group;
}
template <int length, CacheHint hint, int marks, int degree>
CFDMARK_FUNCTION auto consecutive_links(const EntityLinks<int, marks, degree>& table, int first) {
  return group_by_entity<length, hint, Marks(marks), degree, degree>(table.entries + Index(first) * degree);
}
template <int length, CacheHint hint, int marks, int degree>
CFDMARK_FUNCTION auto consecutive_links(const PackLinks<marks, degree>& table, int first) {
  return group_by_entity<length, hint, Marks(marks), degree, pack_width(degree)>(table.packs[first].entry);
}

template <int length, CacheHint hint, int degree>
CFDMARK_FUNCTION auto consecutive_links(const SignedLinks<degree>& table, int first) {
  LinkGroup<HeldSignedRow<degree>, Marks::none, length> group;
  for_each_number<0, degree>([&](int n) {
    int entries[length];
    float signs[length];
    load_run<length, hint>(table.entries + n * table.pitch + first, entries);
    load_run<length, hint>(table.signs + n * table.pitch + first, signs);
    for_each_number<0, length>([&](int k) {
      group.rows[k].entries[n] = entries[k];
      group.rows[k].signs[n] = signs[k];
    });
  });
  return group;
}

template <int length, CacheHint hint, int marks, int degree>
CFDMARK_FUNCTION auto consecutive_links(const NearLinks<marks, degree>& table, int first) {
  static_assert(NearLinkFormat::group % length == 0, "a group of entities has one base");
  using Format = NearRow<Marks(marks), degree>;
  LinkGroup<HeldRow<int, degree>, Marks(marks), length> group;
  const int base = table.base[first / NearLinkFormat::group];
  for_each_number<0, degree>([&](int n) {
    unsigned short run[length];
    load_run<length, hint>(table.differences + n * table.pitch + first, run);
    for_each_number<0, length>([&](int k) { group.rows[k].entries[n] = Format::entry_of(run[k], base); });
  });
  return group;
}

// Lists that differ in length: their first entries only.
template <int length, CacheHint hint, int marks>
CFDMARK_FUNCTION auto consecutive_links(const ListLinks<marks>& table, int first) {
  LinkGroup<ListRow, Marks(marks), length> group;
  int begin[length];
  load_run<length, hint>(table.begin + first, begin);
  const int end = table.begin[first + length];
  for_each_number<0, length>([&](int k) {
    group.rows[k].first = table.entries + begin[k];
    group.rows[k].length = (k + 1 < length ? begin[k + 1 < length ? k + 1 : 0] : end) - begin[k];
  });
  return group;
}

// Loads the lists of `length` entities from `first` on, `stride` apart.
template <int length, int stride, CacheHint hint, class Table>
CFDMARK_FUNCTION auto link_group(const Table& table, int first) {
  if constexpr (stride == 1) {
    return consecutive_links<length, hint>(table, first);
  } else {
    using One = decltype(consecutive_links<1, hint>(table, first));
    typename One::template Longer<length> group;
    for_each_number<0, length>(
        [&](int k) { group.rows[k] = consecutive_links<1, hint>(table, first + k * stride).rows[0]; });
    return group;
  }
}

}  // namespace cfdmark
