// Ways to add what a body scatters to its neighbours. Each is a type with a member sink(values, links, e)
// that makes the body's Scatter field. NVRTC reads this file, so it includes no standard header.
//
// A body adds (neighbour, component, value). Neighbours that do not exist get nothing.
#pragma once

#include "kernels/cells/indexed/indexed_cell.hpp"

namespace cfdmark {

// Adds to a value in memory. Adder: add(S* to, S value).
template <class Adder>
struct AddToMemory {
  template <class V, int n, class Row>
  struct Sink {
    using C = typename V::Number;
    typename V::template Scatter<n> values;
    Row links;
    CFDMARK_FUNCTION bool exists(int m) const { return links.exists(m); }
    CFDMARK_FUNCTION void add(int m, int d, C value) const {
      Adder::template add<C>(&values.at(links.index(m), d), value);
    }
    CFDMARK_FUNCTION void add(int m, C value) const { add(m, 0, value); }
  };
  template <class V, int n, class Values, class Row>
  CFDMARK_FUNCTION Sink<V, n, Row> sink(const Values& values, const Row& links, int) const {
    return {values, links};
  }
};

// Correct where no two entities at work share a neighbour.
struct PlainAdder {
  template <class C, class S>
  CFDMARK_FUNCTION static void add(S* to, C value) {
    *to = S(C(*to) + value);
  }
};

// Stores every contribution at a place of its own, to be added up per neighbour later: that of entity e to
// its neighbour m at e * degree + m, each component in an array of its own.
template <class S>
struct StoreContributions {
  S* to;
  Index places;  // of a component
  int degree;    // neighbours of an entity

  template <class V, int n, class Row>
  struct Sink {
    using C = typename V::Number;
    S* to;
    Index places;
    Row links;
    CFDMARK_FUNCTION bool exists(int m) const { return links.exists(m); }
    CFDMARK_FUNCTION void add(int m, int d, C value) const { to[d * places + m] = S(value); }
    CFDMARK_FUNCTION void add(int m, C value) const { add(m, 0, value); }
  };
  template <class V, int n, class Values, class Row>
  CFDMARK_FUNCTION Sink<V, n, Row> sink(const Values&, const Row& links, int e) const {
    return {to + Index(e) * degree, places, links};
  }
};

// Adds up what goes to one neighbour and drops the rest.
template <class C>
struct KeepContribution {
  C* sum;  // a number per component
  int neighbour;

  template <class V, int n, class Row>
  struct Sink {
    C* sum;
    int neighbour;
    Row links;
    CFDMARK_FUNCTION bool exists(int m) const { return links.exists(m); }
    CFDMARK_FUNCTION void add(int m, int d, C value) const {
      sum[d] = m == neighbour ? sum[d] + value : sum[d];
    }
    CFDMARK_FUNCTION void add(int m, C value) const { add(m, 0, value); }
  };
  template <class V, int n, class Values, class Row>
  CFDMARK_FUNCTION Sink<V, n, Row> sink(const Values&, const Row& links, int) const {
    return {sum, neighbour, links};
  }
};

// Calls f(values) with the field that a kernel scatters to.
template <class F>
struct ScatterVisitor {
  const F& f;
  template <class T, int n, bool packed>
  CFDMARK_FUNCTION void operator()(const MeshValues<MeshRole::scatter, T, n, packed>& values) const {
    f(values);
  }
  template <class Field>
  CFDMARK_FUNCTION void operator()(const Field&) const {}
};
template <class K, class V, class F>
CFDMARK_FUNCTION void for_scatter_field(const typename K::template Fields<V>& fields, const F& f) {
  for_each_mesh_field<K>(fields, ScatterVisitor<F>{f});
}

// Sets the values at a neighbour to 0.
template <class V, class K>
CFDMARK_FUNCTION void clear_neighbour(const typename K::template Fields<V>& fields, int to) {
  for_scatter_field<K, V>(
      fields, [&]<class T, int n, bool packed>(const MeshValues<MeshRole::scatter, T, n, packed>& values) {
        for_each_number<0, n>([&](int d) { values.at(to, d) = T(0); });
      });
}

// Sets the values at a neighbour to the sum of the stored contributions, in the order of their places.
template <class V, class K, class Places>
CFDMARK_FUNCTION void sum_contributions(const typename K::template Fields<V>& fields,
                                        const StoreContributions<typename V::Stored>& stored,
                                        const Places& places, int to) {
  using C = typename V::Number;
  for_scatter_field<K, V>(
      fields, [&]<class T, int n, bool packed>(const MeshValues<MeshRole::scatter, T, n, packed>& values) {
        C sum[n] = {};
        const auto here = places.at(to);
        for_each_link(here, [&](int m) {
          const Index place = here.index(m);
          for_each_number<0, n>([&](int d) { sum[d] = sum[d] + C(stored.to[d * stored.places + place]); });
        });
        for_each_number<0, n>([&](int d) { values.at(to, d) = T(sum[d]); });
      });
}

// Sets the values at a neighbour to the sum of the contributions of all entities around it. Each entity's
// body is computed once per neighbour.
template <class V, class K, class Lists, class Places>
CFDMARK_FUNCTION void recompute_contributions(const K& kernel, const typename K::template Fields<V>& fields,
                                              const Lists& lists, const Places& places, int to) {
  using C = typename V::Number;
  constexpr int degree = degree_of(K::around, V::dims);
  for_scatter_field<K, V>(
      fields, [&]<class T, int n, bool packed>(const MeshValues<MeshRole::scatter, T, n, packed>& values) {
        C sum[n] = {};
        const auto here = places.at(to);
        for_each_link(here, [&](int m) {
          const int place = here.index(m);
          sweep_entity<V>(kernel, fields, lists, place / degree, KeepContribution<C>{sum, place % degree});
        });
        for_each_number<0, n>([&](int d) { values.at(to, d) = T(sum[d]); });
      });
}

}  // namespace cfdmark
